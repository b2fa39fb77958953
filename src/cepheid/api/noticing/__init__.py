"""What a run notices about its input that looks like a mistake, so that nothing goes wrong without a word."""

from cepheid.api.noticing.first_looks import FirstLooks
from cepheid.api.noticing.watch import Watch

__all__ = ["FirstLooks", "Watch"]
