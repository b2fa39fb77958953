"""The keys of sinks that send results to an address on the web."""

from cepheid.spark.pipelines.sections import Section
from cepheid.spark.pipelines.webhook import Webhook, fault_in

_ATTEMPTS, _TIMEOUT, _SECOND = 5, "10 s", 1_000_000


def webhook_in(section: Section, url: str | None) -> Webhook:
    """Return the address of a sink, and how results are sent there."""
    if "url" not in section.table:
        hint = 'add `url = "https://host/alarms"`'
        section.complain("a webhook needs an address", "no `url` here", hint=hint)
    elif url and (reason := fault_in(url)):
        hint = 'write `url = "https://host/alarms"`'
        section.complain(f"the address of the webhook is none: {reason}", "not an address", "url", hint=hint)
    timeout = section.length_of_time("timeout", section.text("timeout") or _TIMEOUT)
    if timeout is not None and not timeout.ticks:
        hint = f'write `timeout = "{_TIMEOUT}"`'
        section.complain("a `timeout` of no time lets nobody answer", "too short", "timeout", hint=hint)
    return Webhook(
        url or "",
        section.secret("secret"),
        section.number("attempts") or _ATTEMPTS,
        10.0 if timeout is None else timeout.ticks / _SECOND,
        section.text("dead_letters"),
    )
