"""The use cases: compile, check, run, explain. The only place that wires the rooms together."""
