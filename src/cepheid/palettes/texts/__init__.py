"""Texts: lines of files, tables of comma-separated values, splitting and finding."""

from cepheid.palettes.texts.csv_rows import csv
from cepheid.palettes.texts.finding import find
from cepheid.palettes.texts.lines import lines, split

__all__ = ["csv", "find", "lines", "split"]
