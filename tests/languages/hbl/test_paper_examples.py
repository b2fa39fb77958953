"""The two worked examples of the paper on HBL, as a user sees them: what waits after each record, and how much can."""

import cepheid
from cepheid.api import QueryDetector

FIRST = """
watchpoint e1 { main = a -> b -> c; }
watchpoint e2 { main = d ~> avoid(b) ~> c; }
watchpoint e3 { main = b -> d; }
"""
SECOND = "watchpoint w { window 6 records; main = a letting x = index() -> b; }"


def waiting(detector: QueryDetector) -> dict[str, int]:
    """Return how many runs wait, of every watchpoint that has some."""
    return {one.rule: one.used for one in detector.usage() if one.operator.startswith("chain") and one.used}


def test_example_1_step_by_step() -> None:
    detector = cepheid.compile(FIRST, language="hbl", allow_unbounded=True).detector()
    told = []
    for time, kind in enumerate("adb"):
        assert detector.push({"type": kind, "time": time}) == []
        told.append(waiting(detector))
    assert told == [{"e1": 1}, {"e1": 1, "e2": 1}, {"e1": 1, "e3": 1}]  # the `b` takes e1 on, ends e2 and begins e3
    (alert,) = detector.push({"type": "c", "time": 3})
    assert (alert.name, alert.start, alert.end, alert.known) == ("e1", 0, 3, 3)
    assert waiting(detector) == {"e3": 1}


def test_example_2_has_a_run_for_each_first_record_and_no_more_than_its_window() -> None:
    query = cepheid.compile(SECOND, language="hbl")
    certified = query.certificate.state.number
    assert certified is not None
    detector, most = query.detector(), 0
    for time in range(20):
        assert detector.push({"type": "a", "time": time}) == []
        most = max(most, waiting(detector)["w"])
        assert most <= certified
    assert most == certified == 5  # the sixth record of the window is the one that they wait for
    alerts = detector.push({"type": "b", "time": 20})
    assert [alert.values["x"] for alert in alerts] == [15, 16, 17, 18, 19]
