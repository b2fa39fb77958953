"""S1 to S7 of the paper as pipes of known functions, over tuples of a position, a symbol and a closing price.

The paper says them in words. Here they mean, and so they do for the peers:

S5: the tuples of symbol 2 below 2 for which the next tuple of symbol 1 has the same price.
S6: the tuples of symbol 2 below 2 that are followed by tuples of symbol 1 which are all above them, if there are any,
    until symbol 2 is below 2 again; other tuples of symbol 2 do not matter.
S7: the tuples of symbol 1 at which its mean of 50 is above that of symbol 2, at 4 of the last 5 of them at least.
"""

from cepheid import pipes as p

position, symbol, price = p.field("position"), p.field("symbol"), p.field("close")
close = p.apply(price)
average = p.cumulate(p.add) / (p.turn_into(1) | p.cumulate(p.add))
is_low = (symbol == 2) & (price < 2)

above = p.fan(close | p.trim(49), close | p.window(average, 50)) | p.apply(p.x > p.y)
twins = p.exists(
    "low",
    p.if_(is_low, p.list_of(price), p.list_of()),
    p.where(symbol == 1) | p.apply(price == p.context("low")),
)
again = {"low": price, "at": position, "first": p.context("at")}
runs = p.machine(
    "calm",
    [
        p.transition("calm", "low", is_low, low=price, at=position),
        p.transition("low", "done", is_low, **again),
        p.transition("low", "low", price > p.context("low")),
        p.transition("low", "calm"),
        p.transition("done", "done", is_low, **again),
        p.transition("done", "low", price > p.context("low")),
        p.transition("done", "calm"),
    ],
    {"done": p.context("first")},
    context={"low": None, "at": None, "first": None},
)
means = p.slice(symbol, close | p.window(average, 50))
is_ahead = p.apply(p.if_(p.x["means"][1] > p.x["means"][2], 1, 0))
of_first = (
    p.where((symbol == 1) | (symbol == 2))
    | p.fan(p.passthrough(), means)
    | p.collate("row", "means")
    | p.where(p.x["row"]["symbol"] == 1)
)
mostly = is_ahead | p.window(p.cumulate(p.add), 5) | p.apply(p.x >= 4)

QUERIES: dict[str, p.Processor] = {
    "S1": p.passthrough(),
    "S2": p.where(symbol == 1),
    "S3": p.where(symbol == 1) | close | p.window(average, 5),
    "S4": p.fan(p.trim(49), above) | p.filter(),
    "S5": p.fan(p.passthrough(), twins) | p.filter(),
    "S6": p.where((symbol == 1) | is_low) | runs,
    "S7": of_first | p.fan(p.apply(p.x["row"]) | p.trim(4), mostly) | p.filter(),
}
