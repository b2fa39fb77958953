"""Packets of a network, from files that captured them."""

from cepheid.palettes.network.captures import packets
from cepheid.palettes.network.headers import header

__all__ = ["header", "packets"]
