"""Texts that were changed at random: by letters, words, numbers grown huge, nesting, and pieces of others."""

import re
from collections.abc import Callable, Sequence
from random import Random

_WORD = re.compile(r"\w+|[^\w\s]|\s+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LETTERS = "\0\t\n\r \"'`()[]{}<>=!&|;:,.+-*/%@#$^~\\_0aZé\u2028\ud800\U0001f600"
_NUMBERS = ("0", "-1", "1e999999", "1e-999999", "9" * 400, str(2**62), str(2**63), str(2**64), "0.1", "1e308", "00")
_OPENED = ("()", "[]", "{}", '""', "``", "''")

_KINDS = tuple(map(re.compile, (r"[a-z]\w*", r"[A-Z]\w*", r"\d+(?:\.\d+)?", r"[-+*/<>=!&|;:,.]+")))

Change = Callable[[str, Random, Sequence[str]], str]


def mutated(text: str, random: Random, others: Sequence[str]) -> str:
    """Return a text with one to four changes; half of all texts still look much like a query."""
    changes = _CHANGES if random.random() < 0.5 else (_like,)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        text = random.choice(changes)(text, random, others)
    return text


def _like(text: str, random: Random, others: Sequence[str]) -> str:
    """Replace a name, a number or a sign by another of its kind, so that what comes after the syntax is reached."""
    kind = random.choice(_KINDS)
    found, there = list(kind.finditer(text)), kind.findall(text if random.random() < 0.5 else random.choice(others))
    if not found or not there:
        return text
    one, other = random.choice(found), str(random.choice(there))
    return text[: one.start()] + other + text[one.end() :]


def _letter(text: str, random: Random, _: Sequence[str]) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice(_LETTERS) + text[place + random.randrange(2) :]


def _cut(text: str, random: Random, _: Sequence[str]) -> str:
    first, last = sorted((random.randrange(len(text) + 1), random.randrange(len(text) + 1)))
    return text[:first] + text[last:] if random.random() < 0.5 else text[first:last]


def _word(text: str, random: Random, others: Sequence[str]) -> str:
    """Leave out, double, swap or replace a word."""
    words = _WORD.findall(text) or [""]
    one, other = random.randrange(len(words)), random.randrange(len(words))
    match random.randrange(4):
        case 0:
            del words[one]
        case 1:
            words[one] *= 2
        case 2:
            words[one], words[other] = words[other], words[one]
        case _:
            words[one] = random.choice(_WORD.findall(random.choice(others)) or [""])
    return "".join(words)


def _number(text: str, random: Random, _: Sequence[str]) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    one = random.choice(found)
    return text[: one.start()] + random.choice(_NUMBERS) + text[one.end() :]


def _splice(text: str, random: Random, others: Sequence[str]) -> str:
    other = random.choice(others)
    first, last = sorted((random.randrange(len(other) + 1), random.randrange(len(other) + 1)))
    place = random.randrange(len(text) + 1)
    return text[:place] + other[first:last] + text[place:]


def _nested(text: str, random: Random, _: Sequence[str]) -> str:
    """Put brackets around a piece, now and then very many."""
    times = random.choice((1, 1, 2, 5, 60, 400))
    opened, closed = tuple(random.choice(_OPENED))
    first, last = sorted((random.randrange(len(text) + 1), random.randrange(len(text) + 1)))
    return text[:first] + opened * times + text[first:last] + closed * times + text[last:]


def _repeated(text: str, random: Random, _: Sequence[str]) -> str:
    """Say a piece again and again."""
    first, last = sorted((random.randrange(len(text) + 1), random.randrange(len(text) + 1)))
    piece = text[first:last][:80]
    return text[:last] + piece * random.choice((1, 2, 3, 10, 100)) + text[last:]


_CHANGES: tuple[Change, ...] = (_letter, _letter, _cut, _word, _word, _word, _number, _splice, _nested, _repeated)
