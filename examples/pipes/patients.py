"""Queries 5 and 6 of the paper: medical records, messages of several patients in one stream."""

from pathlib import Path

from cepheid import pipes as p

messages = p.hl7(Path(__file__).parent / "data" / "observations.hl7")
patient = p.hl7_field("PID.3")
observed = p.number(p.hl7_field("OBX.5"))

# How many values there were before this one, their mean and their standard deviation.
count = p.turn_into(1) | p.cumulate(p.add)
mean = p.cumulate(p.add) / count
squares = (p.apply(p.x * p.x) | p.cumulate(p.add)) / count
spread = p.fan(squares, mean) | p.apply(p.function("sqrt")(p.x - p.y * p.y))
before = p.fan(count, mean, spread) | p.collate("count", "mean", "spread") | p.insert(1, None)

# By how many standard deviations a value is off the mean of those before it, once there are ten of them.
off = p.fan(p.passthrough(), before) | p.apply(p.if_(p.y["count"] >= 10, (p.x - p.y["mean"]) / p.y["spread"], 0))

of_this_patient = p.apply(p.record_of(patient=patient, value=observed, alarm=p.y[patient]))


def alarms(rule: p.Processor) -> p.Processor:
    """The observations for which a rule holds, each patient on its own."""
    by_patient = p.slice(patient, p.apply(observed) | off | rule)
    return messages | p.fan(p.passthrough(), by_patient) | of_this_patient | p.where(p.field("alarm") == True)  # noqa: E712


# An observed value that is three standard deviations above or below its mean.
query_5 = alarms(p.apply(abs(p.x) > 3))

# Two out of three successive values more than two standard deviations off the mean, on the same side.
side = p.apply(p.if_(p.x > 2, 1, p.if_(p.x < -2, -1, 0)))
query_6 = alarms(side | p.successive(lambda a, b, c: 1 in (a * b, b * c, a * c)))
