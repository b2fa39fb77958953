"""Pictures of sets of points, drawn by matplotlib."""

from cepheid.palettes.plots.pictures import HeatMap, heat_map, line, scatter

__all__ = ["HeatMap", "heat_map", "line", "scatter"]
