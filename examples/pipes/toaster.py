"""Query 9 of the paper: a toaster is recognised by what it draws from the line."""

from pathlib import Path

from cepheid import pipes as p

power = p.csv(Path(__file__).parent / "data" / "load.csv") | p.apply(p.field("phase1"))
rise, drop = p.x[0], -p.x[1]

# "Toaster on" whenever a spike of 1000 W, more or less 200, is seen on phase 1 and the toaster is off.
toaster = p.machine(
    "off",
    [
        p.transition("off", "switched on", rise.between(800, 1200)),
        p.transition("switched on", "off", drop.between(800, 1200)),
        p.transition("switched on", "on"),
        p.transition("on", "off", drop.between(800, 1200)),
    ],
    {"switched on": "Toaster on"},
)
query_9 = power | p.fan(p.peaks(5), p.peaks(5, drops=True)) | p.collate(2) | toaster
