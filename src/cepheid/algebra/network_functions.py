"""Functions of addresses on the internet, of both versions."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network


def cidr_contains(network: str, address: object) -> bool:
    """Say whether an address lies in a network such as `10.0.0.0/8`; one of another version lies outside."""
    return _address(address) in _network(network)


def is_ip(text: str) -> bool:
    """Say whether a text is an address."""
    try:
        _address(text)
    except ValueError:
        return False
    return True


def is_private(text: str) -> bool:
    """Say whether an address is one that the internet does not route: private, local or reserved."""
    return _address(text).is_private


@lru_cache(maxsize=1024)
def _network(text: str) -> IPv4Network | IPv6Network:
    return ip_network(text, strict=False)


def _address(text: object) -> IPv4Address | IPv6Address:
    if not isinstance(text, str):
        raise TypeError
    return _read(text)


@lru_cache(maxsize=4096)
def _read(text: str) -> IPv4Address | IPv6Address:
    return ip_address(text)
