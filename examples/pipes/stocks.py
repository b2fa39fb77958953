"""Queries 1 to 4 of the paper: a stock ticker."""

from pathlib import Path

from cepheid import pipes as p

quotes = p.csv(Path(__file__).parent / "data" / "stocks.csv")
microsoft = quotes | p.where(p.field("symbol") == "MSFT")
close = p.apply(p.field("close"))
average = p.cumulate(p.add) / (p.turn_into(1) | p.cumulate(p.add))

# The closing price of MSFT for the first five trading days.
query_1 = microsoft | p.prefix(5) | close

# The days after the hundredth on which MSFT closed above 50.
query_2 = microsoft | p.trim(100) | p.where(p.field("close") > 50) | p.apply(p.field("day"))

# On every fifth trading day the average closing price of MSFT over the last five.
query_3 = microsoft | close | p.window(average, 5) | p.decimate(5)


def higher_than_microsoft(day: tuple[dict[str, object], ...]) -> dict[str, object]:
    """The stocks of one day that closed higher than MSFT."""
    closed = {str(quote["symbol"]): float(str(quote["close"])) for quote in day}
    return {"day": day[0]["day"], "stocks": sorted(name for name, price in closed.items() if price > closed["MSFT"])}


# For the five latest days, the stocks that closed higher than MSFT on that day.
by_day = p.slice(p.field("day"), p.cumulate(lambda day, quote: (*day, quote), ()))
latest = p.apply(lambda days: [days[day] for day in sorted(days)[-5:]])
query_4 = quotes | by_day | p.keep_last() | latest | p.unpack() | p.apply(higher_than_microsoft)
