"""A window over known aggregates as text: functions of single values, sums that go on, functions of those.

Where all values of the window are usual floats, or all are whole numbers, sums need no call; everything else is handed
to the window itself. `docs/decisions/0041` says why sums of floats are cut in two.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from keyword import iskeyword

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.layout import INPUT, Wire
from cepheid.algebra.graphs.objects import Thing
from cepheid.analysis.graphs.aggregation import Aggregation
from cepheid.engine.pipes.graphs.inlining import Read, inlined
from cepheid.engine.pipes.graphs.sliding_sums import COARSE, CUT, GRAIN, most
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER, integer


@dataclass(slots=True)
class WindowText:
    """What is done with each value, what more where the window is complete, and the name of the output.

    `told` is a name to which the first lines give a value: `nothing` where the window is not complete. Names of cells
    begin with the label of the window; `assigned` are those that the lines change.
    """

    lines: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    told: str = ""
    output: str = ""
    used: dict[str, Thing] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    assigned: list[str] = field(default_factory=list)


def counted_by(aggregation: Aggregation, place: int) -> int | None:
    """Return the whole number that a cumulation sums up, where it is the same for all values."""
    nodes = aggregation.graph.nodes
    wire, operation = nodes[place].inputs[0], nodes[place].operation
    giver = None if wire.node == INPUT else nodes[wire.node].operation
    is_whole = isinstance(operation, op.Cumulate) and operation.known == "+" and type(operation.initial) is int
    return giver.value if is_whole and isinstance(giver, op.TurnInto) and type(giver.value) is int else None


def window_text(aggregation: Aggregation, size: int, value: str, label: str) -> WindowText:
    """Return the text of a window over a variable."""
    writer = _Writer(aggregation, size, value, label)
    for place in aggregation.before:
        writer.step(place, writer.text.lines)
    for number, place in enumerate(aggregation.cumulations):
        writer.cumulation(number, place)
    writer.slide(value)
    for place in aggregation.behind:
        writer.step(place, writer.text.behind)
    writer.text.output = writer.names[aggregation.graph.outputs[0]]
    return writer.text


class _Writer:
    """Writes one window. Cumulations are told apart by their number; each reads one name and gives another."""

    def __init__(self, aggregation: Aggregation, size: int, value: str, label: str) -> None:
        self.aggregation, self.size, self.label = aggregation, size, label
        self.names = {Wire(INPUT, 0): value}
        self.constants: dict[str, Thing] = {}
        self.text = WindowText()
        self.read: list[str] = []
        self.told: list[str] = []
        self.sums: list[int] = []
        self.extremes: list[int] = []

    def step(self, place: int, lines: list[str]) -> None:
        """Write a function of single values, or of what cumulations tell."""
        node = self.aggregation.graph.nodes[place]
        read = Read([self.names[wire] for wire in node.inputs], self.constants)
        found = inlined(f"{self.label}_{place}", node.operation, read)
        outputs = [f"v{self.label}_{place}_{output}" for output in range(node.operation.outputs)]
        if found is None:
            lines.append(f"{', '.join(outputs)} = {self._cell(f'call{place}')}({', '.join(read.names)})")
        for output, text in enumerate(found.texts if found is not None else ()):
            if text.isidentifier() and not iskeyword(text):
                outputs[output] = text
            else:
                lines.append(f"{outputs[output]} = {text}")
        self.text.used |= found.used if found is not None else {}
        self.names |= {Wire(place, output): name for output, name in enumerate(outputs)}

    def cumulation(self, number: int, place: int) -> None:
        """Note what a cumulation reads and tells."""
        node = self.aggregation.graph.nodes[place]
        assert isinstance(node.operation, op.Cumulate)
        told = self.names[Wire(place, 0)] = f"v{self.label}_{place}_0"
        self.read.append(self.names[node.inputs[0]])
        self.told.append(told)
        counted = counted_by(self.aggregation, place)
        if counted is not None:
            self.constants[told] = integer(node.operation.initial + counted * self.size)
        else:
            (self.sums if node.operation.known == "+" else self.extremes).append(number)

    def slide(self, value: str) -> None:
        """Write what cumulations do with their values: the short ways, and the long one."""
        text = self.text
        if not self._is_remembered():
            text.lines.append(f"{self._cell('remember')}({value})")
        word = "if"
        for kind in (float, int) if self.sums else ():
            text.lines += [f"{word} {self._condition(kind)}:", *(f"    {line}" for line in self._short(kind))]
            word = "elif"
        long = self._long(range(len(self.read)))
        if self.sums:
            ready = f"if {self._cell(f'{self.sums[0]}_is_ready')}: {self._cell('shorten')}()"
            long = ["else:", *(f"    {line}" for line in (*long, ready))]
        text.lines += long
        text.told = self.told[0]

    def _is_remembered(self) -> bool:
        """Say whether a cumulation keeps the values of the window themselves."""
        nodes, places = self.aggregation.graph.nodes, self.aggregation.cumulations
        return any(nodes[places[one]].inputs[0] == Wire(INPUT, 0) for one in (*self.sums, *self.extremes))

    def _condition(self, kind: type) -> str:
        flag = self._cell(f"{self.sums[0]}_{'in_floats' if kind is float else 'in_whole'}")
        tests = [f"type({self.read[number]}) is {kind.__name__}" for number in self.sums]
        tests += [_usual(self.read[number], self.size) for number in self.sums] if kind is float else []
        return " and ".join([flag, *tests])

    def _short(self, kind: type) -> list[str]:
        lines = [f"{name} = {value!r}" for name, value in self.constants.items()]
        lines += self._long(self.extremes)
        for number in self.sums:
            lines += self._floats(number) if kind is float else self._whole(number)
        return lines

    def _long(self, numbers: Iterable[int]) -> list[str]:
        """Write calls of cumulations."""
        return [
            f"{self.told[number]} = {self._cell(f'{number}_one')}({self.read[number]}, {self.size})"
            for number in numbers
        ]

    def _floats(self, number: int) -> list[str]:
        value, cut, old, gone = self.read[number], *(f"{name}{self.label}_{number}" for name in ("c", "o", "g"))
        high, low = self._changed(f"{number}_high"), self._changed(f"{number}_low")
        return [
            f"{old} = {self._cell(f'{number}_drop')}()",
            f"{self._cell(f'{number}_add')}({value})",
            f"{cut} = {value} + {CUT!r} - {CUT!r}",
            f"{gone} = {old} + {CUT!r} - {CUT!r}",
            f"{high} += {cut} - {gone}",
            f"{low} += {value} - {cut} - ({old} - {gone})",
            f"{self.told[number]} = {high} + {low}",
        ]

    def _whole(self, number: int) -> list[str]:
        value, total = self.read[number], self._changed(f"{number}_total")
        return [
            f"{total} += {value} - {self._cell(f'{number}_drop')}()",
            f"{self._cell(f'{number}_add')}({value})",
            f"{self.told[number]} = {total} if {LEAST_INTEGER} <= {total} <= {GREATEST_INTEGER} else None",
        ]

    def _cell(self, key: str) -> str:
        name = f"s{self.label}_{key}"
        self.text.cells[name] = key
        return name

    def _changed(self, key: str) -> str:
        name = self._cell(key)
        if name not in self.text.assigned:
            self.text.assigned.append(name)
        return name


def _usual(name: str, size: int) -> str:
    """Return what `is_usual` says of a float."""
    most_of = most(size)
    small = f"(({name} - ({name} + {CUT!r} - {CUT!r})) * {GRAIN!r}).is_integer()"
    return (
        f"({COARSE!r} <= {name} < {most_of!r} or {-most_of!r} < {name} <= {-COARSE!r}"
        f" or {-COARSE!r} < {name} < {COARSE!r} and {small})"
    )
