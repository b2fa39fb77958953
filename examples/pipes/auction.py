"""Queries 7 and 8 of the paper, and the query of its section 8.4: an online auction."""

from pathlib import Path

from cepheid import pipes as p

log = p.lines(Path(__file__).parent / "data" / "auction.log")


def event_of(text: str) -> dict[str, object]:
    """`bid(vase,15)` as a record."""
    name, _, rest = text.partition("(")
    item, *numbers = rest.rstrip(")").split(",") if rest else [None]
    return {"name": name, "item": item, "numbers": [int(number) for number in numbers]}


events = log | p.find(r"(\w+(?:\([^)]*\))?)\.") | p.apply(event_of)
name, item, numbers = p.field("name"), p.field("item"), p.field("numbers")

# Bids that are not higher than the one before for the same item.
bids = events | p.where(name == "bid")
rises = p.slice(item, p.apply(numbers[0]) | p.successive(p.y > p.x))
told = p.apply(p.record_of(item=item, price=numbers[0], rises=p.y[item]))
query_7 = bids | p.fan(p.passthrough(), rises) | told | p.where(p.field("rises") == False)  # noqa: E712

# The end of a day is for all items, everything else for its own.
item_of = p.if_(name == "endOfDay", "#", item)
days = p.context("days")


def life(bids: list[p.Transition], outputs: dict[str, object]) -> p.Processor:
    """What becomes of one item: it is started, is open for some days, and is sold; a bid at another time is wrong."""
    return p.machine(
        "unknown",
        [
            p.transition("unknown", "open", name == "start", days=0, price=numbers[0], most=numbers[1]),
            p.transition("unknown", "wrong", name == "bid"),
            p.transition("open", "over", (name == "endOfDay") & (days + 1 >= p.context("most")), days=days + 1),
            p.transition("open", "open", name == "endOfDay", days=days + 1),
            p.transition("open", "sold", name == "sell"),
            p.transition("over", "wrong", name == "bid"),
            *bids,
        ],
        outputs,
        context={"days": 0, "price": 0, "most": 0},
    )


STATES = ("unknown", "open", "over", "sold", "wrong")

# The items that got bids outside of the period of their auction.
outside = life([], {state: state == "wrong" for state in STATES})
wrong_ones = p.apply(lambda items: sorted(one for one in items if items[one]))
query_8 = events | p.slice(item_of, outside) | p.keep_last() | wrong_ones

# The average number of days since the start of all auctions that are open and valid: each bid is higher than the last.
higher = p.transition("open", "open", (name == "bid") & (numbers[0] > p.context("price")), price=numbers[0])
too_low = p.transition("open", "low", name == "bid")
age = life([higher, too_low], {state: days if state == "open" else None for state in (*STATES, "low")})
known = p.apply(lambda ages: [one for one in ages.values() if one is not None])
average = p.cumulate(p.add) / (p.turn_into(1) | p.cumulate(p.add))
query_auction = events | p.slice(item_of, age) | known | p.run_on(average)
