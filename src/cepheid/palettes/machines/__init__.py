"""Moore machines: states with outputs, transitions with guards and assignments to a context."""

from cepheid.palettes.machines.moore import Transition, machine, transition

__all__ = ["Transition", "machine", "transition"]
