"""Write the tables that the queries beside this file read: the same ones whenever it is run."""

from pathlib import Path

HERE = Path(__file__).parent
SYMBOLS = {"MSFT": 45, "APPL": 60, "GOGL": 52}
DAYS = 120


def main() -> None:
    """Write closing prices of three symbols, and readings of a patient with two outliers."""
    rows = [f"{day},{symbol},{price(day, start)}" for day in range(1, DAYS + 1) for symbol, start in SYMBOLS.items()]
    (HERE / "stocks.csv").write_text("timestamp,symbol,closingPrice\n" + "\n".join(rows) + "\n", encoding="utf-8")
    readings = [f"{place},{100 + place * 7 % 5 + (60 if place in (30, 31) else 0)}" for place in range(1, 41)]
    (HERE / "readings.csv").write_text("number,ldl\n" + "\n".join(readings) + "\n", encoding="utf-8")


def price(day: int, start: int) -> float:
    """A price that wanders without chance."""
    return start + (day * 37 + start) % 11 - 5 + day % 4 / 4


if __name__ == "__main__":
    main()
