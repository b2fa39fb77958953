"""Progress of a long run, on standard error and only where somebody looks at it."""

from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from cepheid.api import Portion, Run


class _Speed(ProgressColumn):
    """Events per second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:,.0f}/s")


def watched(portions: Iterator[Portion], run: Run) -> Iterator[Portion]:
    """Yield the portions, and show how far the run is."""
    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} events"), _Speed(), TextColumn("{task.description}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        for portion in portions:
            progress.update(task, completed=run.summary.events, description=_described(run))
            yield portion


def _described(run: Run) -> str:
    used, promised = run.usage
    state = f"{used:,} entries" if promised is None else f"{used:,} of at most {promised:,} entries"
    return f"{run.summary.matches:,} matches, {state}"
