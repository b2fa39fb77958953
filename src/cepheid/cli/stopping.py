"""Ctrl-C, and what a supervisor sends: a run ends in order, and what was certain until then is written.

A signal ends the wait for more input at once. While events are being worked on, the run stops after them, so that what
they complete is written too; a second signal, or a few seconds, end that as well.
"""

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BufferedIOBase
from typing import Any, cast

from cepheid.api import STANDARD_INPUT, is_waited_for, opened_stream
from cepheid.diagnostics import CepheidError, Diagnostic

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_SECONDS = 5.0


class Stopped(BaseException):
    """Somebody asked to stop; no code that looks for errors takes it for one."""


@dataclass(slots=True)
class Stopping:
    """Whether somebody asked to stop, and by which signal; while the run is `waiting`, that is answered at once."""

    by: signal.Signals | None = None
    waiting: bool = False
    _before: dict[signal.Signals, Any] = field(default_factory=dict)  # whatever handled them

    @property
    def status(self) -> int:
        """The status of a process that a signal ended, as shells have it."""
        return 0 if self.by is None else 128 + self.by

    @contextmanager
    def heeded(self) -> Iterator["Stopping"]:
        """Heed signals inside the block; outside of the main thread nobody can."""
        with suppress(ValueError):
            for number in _heard():
                self._before[number] = signal.signal(number, self._ask)
            self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._ask)
        try:
            yield self
        finally:
            self.obeyed()
            for number, handler in self._before.items():
                signal.signal(number, handler)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Stop inside the block as soon as somebody asks."""
        self.waiting = True
        try:
            if self.by is not None:
                raise Stopped
            yield
        finally:
            self.waiting = False

    def obeyed(self) -> None:
        """Note that the run has stopped: completing what was written takes the time that it takes."""
        if self.by is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _ask(self, number: int, _: object) -> None:
        again = self.by is not None
        if not again:
            self.by = signal.Signals(number)
            signal.setitimer(signal.ITIMER_REAL, _SECONDS)
        if again or self.waiting:
            raise Stopped


@contextmanager
def signals_noted() -> Iterator[list[signal.Signals]]:
    """Note the signal that asks to stop, in the list that is yielded; whoever asks again interrupts what runs.

    Nothing is raised by the first, so whoever is at work ends it, and then looks.
    """
    noted: list[signal.Signals] = []
    before: dict[signal.Signals, Any] = {}  # whatever handled them

    def note(number: int, _: object) -> None:
        if noted:
            raise KeyboardInterrupt
        noted.append(signal.Signals(number))

    with suppress(ValueError):
        before.update({number: signal.signal(number, note) for number in _heard()})
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _heard() -> Iterator[signal.Signals]:
    """Yield the signals that ask to stop here; what is ignored, as `nohup` wants it, stays so."""
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            yield number


class StoppableInput(BufferedIOBase):
    """Bytes that are waited for, until somebody asks to stop."""

    def __init__(self, stream: BufferedIOBase, name: str, stopping: Stopping) -> None:
        self.name = name
        self._stream = stream
        self._stopping = stopping

    def read1(self, size: int = -1, /) -> bytes:
        with self._stopping.at_once():
            return self._stream.read1(size)

    def readable(self) -> bool:
        return True


@contextmanager
def stoppable(events: Sequence[str], stopping: Stopping) -> Iterator[Sequence[str] | BufferedIOBase]:
    """Yield what is read: what is waited for can be stopped, and files stay the names that they are."""
    waited_for = [name for name in events if name == STANDARD_INPUT or is_waited_for(name)]
    if waited_for and len(events) > 1:
        raise _not_one_after_another(waited_for[0])
    if events[0] == STANDARD_INPUT:
        yield StoppableInput(cast(BufferedIOBase, sys.stdin.buffer), "standard input", stopping)
    elif waited_for:
        with stopping.at_once():
            stream = opened_stream(events[0])
        with stream:
            yield StoppableInput(stream, events[0], stopping)
    else:
        yield events


def _not_one_after_another(name: str) -> CepheidError:
    message = f"`--input {name}` waits for its bytes, and is read alone"
    return CepheidError(Diagnostic("conflicting-options", message, hints=(f"leave out the others: `--input {name}`",)))
