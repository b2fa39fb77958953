"""Queries 10 to 12 of the paper: what happens in a video game, told by XML documents."""

from pathlib import Path

from cepheid import pipes as p

game = p.xml(Path(__file__).parent / "data" / "pingus.xml")


def place(axis: str, pingu: str) -> p.PipeTerm:
    """Where the Pingu is whose id stands in the context under a name."""
    return p.xpath(f"number(characters/character[id=${pingu}]/position/{axis})")


# A walking Pingu that meets a Blocker turns round: three events later it is farther away.
distance = p.apply(abs(place("x", "walker") - place("x", "blocker")))
meet = (abs(place("x", "walker") - place("x", "blocker")) < 6) & (
    abs(place("y", "walker") - place("y", "blocker")) < 10
)
turns = p.fan(p.apply(meet), distance, distance | p.trim(3)) | p.apply(p.if_(p.x, p.y < p.z, True))
blockers = p.xpath("characters/character[status='BLOCKER']/id/text()")
walkers = p.xpath("characters/character[status='WALKER']/id/text()")
query_10 = game | p.for_all("walker", walkers, p.for_all("blocker", blockers, turns))

# The share of all Pingus that are Blockers.
share = p.xpath("count(characters/character[status='BLOCKER'])") / p.xpath("count(characters/character)")
query_11 = game | p.apply(share)

# A heat map of where Pingus have been, every three seconds; there are ten documents in a second.
points = p.apply(p.xpath("characters/character/position/x/text()"), p.xpath("characters/character/position/y/text()"))
seen = points | p.apply(lambda xs, ys: tuple(zip(map(float, xs), map(float, ys), strict=True)))
heat = seen | p.cumulate(lambda before, now: before + now, ()) | p.decimate(30) | p.heat_map(20)
query_12 = game | heat | p.apply(p.field("array"))
