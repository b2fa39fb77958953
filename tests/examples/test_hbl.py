"""HBL: the paper's worked examples, the chain of processes, running aggregates, and evidence on or off."""

import pytest

import cepheid as c
from cepheid.testing import trace

RECORDS = "1 a, 2 d, 3 b, 4 c, 5 d"


def found(pattern: c.Part, written: str) -> list[tuple[int, int, tuple[object, ...]]]:
    return [(one.start, one.end, one.evidence) for one in c.query(pattern).run(trace(written))]


def test_one_record_after_the_other() -> None:
    """e1 = a -> b -> c waits for `b`, then for `c`."""
    e1 = c.chain(c.event("a"), c.event("b"), c.event("c"))
    assert found(e1, RECORDS) == [(1, 4, (1, 3, 4))]


def test_a_record_to_avoid_ends_the_wait() -> None:
    """e2 = d ~> avoid(b) ~> c: the `b` at 3 comes before the `c`."""
    e2 = c.chain(c.step(c.event("d")).avoiding(c.event("b")), c.event("c"))
    assert found(e2, RECORDS) == []
    assert found(e2, "1 a, 2 d, 3 c, 4 b") == [(2, 3, (2, 3))]


def test_the_next_step_at_once_leaves_nothing_to_avoid() -> None:
    """The record that leads the next step is not one to avoid, even if it would be."""
    either = c.chain(c.step(c.event("d")).avoiding(c.event("c", name="bad")), c.event("c"))
    assert found(either, "2 d, 3 c") == [(2, 3, (1, 2))]


def test_each_watchpoint_runs_by_itself() -> None:
    """e3 = b -> d begins at the `b` that ended the wait of e2."""
    e3 = c.chain(c.event("b"), c.event("d"))
    assert found(e3, RECORDS) == [(3, 5, (3, 5))]


def test_the_worst_case_has_one_run_for_every_record() -> None:
    """With `a letting x = index() -> b` nothing merges, since the index tells all runs apart."""
    a = c.event("a")
    index = c.chain(c.step(a).letting(x=a.position), c.event("b"), evidence=False)
    matches = c.query(index, values={"x": c.variable("x")}).run(trace("1 a, 2 a, 3 a, 4 a, 5 b"))
    assert [(one.start, one.end, one.values["x"]) for one in matches] == [(1, 5, 0), (2, 5, 1), (3, 5, 2), (4, 5, 3)]


@pytest.mark.parametrize(("evidence", "starts"), [(True, [1, 2, 3]), (False, [3])])
def test_runs_that_nobody_can_tell_apart_are_one_unless_their_records_are_asked_for(
    evidence: bool, starts: list[int]
) -> None:
    pattern = c.chain(c.event("a"), c.event("b"), evidence=evidence)
    assert [start for start, _, _ in found(pattern, "1 a, 2 a, 3 a, 4 b")] == starts


def powershell_from_outlook(evidence: bool = True) -> c.Query:
    """Outlook starts a process, which starts another, and so on, until one of them is a PowerShell."""
    spawn, current = c.event("spawn"), c.variable("current")
    child = spawn[spawn.parent == current]
    shell = spawn[(spawn.parent == current) & (spawn.exe == "powershell.exe")]
    chain = c.chain(
        c.step(spawn[spawn.exe == "Outlook.exe"], name="main")
        .letting(root=spawn.pid, current=spawn.pid)
        .then("drop", "chain"),
        c.step(child, name="chain").letting(current=spawn.pid).then("drop", "chain"),
        c.step(shell, name="drop").letting(child=spawn.pid).reporting(),
        window="10 min",
        evidence=evidence,
        observed=None if evidence else ["root", "child"],
    )
    return c.query(chain, name="powershell", values={"root": c.variable("root"), "child": c.variable("child")})


def spawned(pid: int, parent: int, exe: str, minute: float) -> dict[str, object]:
    return {"type": "spawn", "time": minute * 60, "id": pid, "pid": pid, "parent": parent, "exe": exe}


PROCESSES = [
    spawned(10, 1, "Outlook.exe", 0),
    spawned(11, 10, "word.exe", 1),
    spawned(20, 2, "cmd.exe", 1.5),
    spawned(12, 11, "cmd.exe", 2),
    spawned(13, 12, "powershell.exe", 3),
    spawned(21, 20, "powershell.exe", 3.5),
    spawned(14, 12, "powershell.exe", 4),
]


@pytest.mark.parametrize("evidence", [True, False])
def test_a_chain_of_processes_of_any_length(evidence: bool) -> None:
    """The wait is greedy: a process is followed by its first child, and the shell of another parent is not ours."""
    matches = powershell_from_outlook(evidence).run(PROCESSES)
    assert [(one.values["root"], one.values["child"]) for one in matches] == [(10, 13)]
    assert [one.evidence for one in matches] == [(10, 11, 12, 13)]


def test_a_shell_after_the_window_is_no_alert() -> None:
    late = [*PROCESSES[:4], spawned(13, 12, "powershell.exe", 10)]
    assert len(powershell_from_outlook().run(late)) == 1
    assert powershell_from_outlook().run([*PROCESSES[:4], spawned(13, 12, "powershell.exe", 10.01)]) == []


def test_a_window_of_records_counts_all_records() -> None:
    pattern = c.chain(c.event("a"), c.event("b"), records=3)
    assert found(pattern, "1 a, 2 x, 3 b") == [(1, 3, (1, 3))]
    assert found(pattern, "1 a, 2 x, 3 x, 4 b") == []


def test_running_aggregates_are_kept_in_variables() -> None:
    """Each variable is set after the one before it, so the mean is that of all so far."""
    pay, n, total = c.event("pay"), c.variable("n"), c.variable("total")
    more = {"n": n + 1, "total": total + pay.amount, "mean": (total + 0.0) / n}
    chain = c.chain(
        c.step(pay, name="first").letting(**more).then("again"),
        c.step(pay, name="again").letting(**more).then("stop"),
        c.step(pay[pay.amount > total], name="stop").letting(**more).reporting(),
        initially={"n": 0, "total": 0},
    )
    values = {name: c.variable(name) for name in ("n", "total", "mean")}
    matches = c.query(chain, values=values).run(
        trace("1 pay{amount: 1}, 2 pay{amount: 2}, 3 pay{amount: 2}, 4 pay{amount: 9}")
    )
    assert [(one.start, one.end, dict(one.values)) for one in matches] == [
        (1, 4, {"n": 3, "total": 12, "mean": 4.0}),
        (2, 4, {"n": 3, "total": 13, "mean": 13 / 3}),
    ]


def test_presence_and_absence_of_a_field() -> None:
    any_record = c.any_event()
    present = c.chain(any_record[~any_record.note.is_null()], c.event("b"))
    assert found(present, "1 a, 2 a{note: 1}, 3 b") == [(2, 3, (2, 3))]


def test_a_set_of_types_and_alternatives() -> None:
    session, pay, leave = c.event("login", "unlock", name="session"), c.event("pay"), c.event("leave")
    chain = c.chain(
        c.step(session, name="in").then("paid", "left"),
        c.step(pay, name="paid").reporting(),
        c.step(leave, name="left").reporting(),
    )
    assert found(chain, "1 unlock, 2 leave, 3 pay") == [(1, 2, (1, 2)), (1, 3, (1, 3))]


def test_positions_that_jump_faster_than_anyone_moves() -> None:
    """GPS spoofing: two fixes in a short window that are too far apart."""
    fix, here = c.event("fix"), c.variable("here")
    chain = c.chain(
        c.step(fix, name="one").letting(here=fix.x).then("two"),
        c.step(fix[c.function("abs")(fix.x - here) > 100], name="two").reporting(),
        window=5,
    )
    written = "1 fix{x: 0}, 2 fix{x: 10}, 4 fix{x: 20}, 6 fix{x: 115}, 20 fix{x: 900}"
    assert found(chain, written) == [(1, 6, (1, 4)), (2, 6, (2, 4))]
