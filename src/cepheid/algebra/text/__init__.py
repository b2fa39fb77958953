"""The text form of the algebra: every node as text that a person reads easily.

The language `cep` reads it back exactly.
"""

from cepheid.algebra.text.show import show

__all__ = ["show"]
