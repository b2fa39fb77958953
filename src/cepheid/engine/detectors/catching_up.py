"""Kernels that are compiled in the background, and are then given once more what has come meanwhile."""

from collections.abc import Callable
from threading import Lock, Thread

from cepheid.algebra.matches import Match
from cepheid.diagnostics import CepheidError
from cepheid.engine.detectors.tiered_detector import TieredDetector

Step = Callable[[TieredDetector], list[Match]]


class CatchingUp:
    """What was done so far, in steps, and a thread that does it again with a detector that it makes first.

    The thread ends with the process at the latest when everything is compiled: compiling cannot be broken off.
    """

    def __init__(self, make: Callable[[], TieredDetector]) -> None:
        self._make, self._lock = make, Lock()
        self._steps: list[Step] = []
        self._thread: Thread | None = None
        self._made: TieredDetector | None = None
        self._found: list[Match] = []
        self.over = False
        """Nobody waits for it any more, or what came is nothing for kernels."""

    @property
    def began(self) -> bool:
        return self._thread is not None

    def begin(self) -> None:
        """Let the thread compile."""
        self._thread = Thread(target=self._run, name="cepheid-kernels")
        self._thread.start()

    def wait(self) -> None:
        """Wait until the thread has done all steps."""
        if self._thread is None:
            self.begin()
        assert self._thread is not None
        self._thread.join()

    def add(self, step: Step) -> None:
        """Note something that was done."""
        with self._lock:
            if not self.over:
                self._steps.append(step)

    def give_up(self) -> None:
        """Do no further step."""
        with self._lock:
            self.over = True
            self._steps.clear()

    def done(self) -> tuple[TieredDetector, list[Match]] | None:
        """Return the detector once it has done what was done, with all that it found; None as long as it has not."""
        with self._lock:
            if self._made is None or self.over:
                return None
            self.over = True
            # A step may have been added when the thread had just looked for the last time.
            try:
                self._found += [match for step in self._steps for match in step(self._made)]
            except CepheidError:
                return None  # the interpreter says what is wrong, if anything is
            finally:
                self._steps.clear()
            return self._made, self._found

    def _run(self) -> None:
        try:
            detector = self._make()
            while steps := self._next(detector):
                for step in steps:
                    self._found += step(detector)
        except CepheidError:
            self.give_up()  # the interpreter says what is wrong, if anything is

    def _next(self, detector: TieredDetector) -> list[Step]:
        with self._lock:
            steps, self._steps = self._steps, []
            if not steps and not self.over:
                self._made = detector
            return steps
