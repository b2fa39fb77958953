"""Fields of the headers of a packet, by name: `eth.src`, `ip.dst`, `tcp.dstport`, `icmp.type`.

A packet is a record of `packets`, or the bytes of an Ethernet frame. What a packet does not have is None.
"""

import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from typing import Final, NamedTuple, TypeAlias

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.terms import NativeTerm, native
from cepheid.diagnostics import close_match

Fields: TypeAlias = dict[str, Thing]

_ETHERNET, _RAW = 1, 101
_EXTENSIONS: Final = frozenset({0, 43, 60})
_FLAGS: Final = ("fin", "syn", "rst", "psh", "ack", "urg")


class Rest(NamedTuple):
    """What follows a header: what it is said to be, and its bytes."""

    kind: int
    data: bytes


def header(name: str) -> NativeTerm:
    """The field of a header of each packet."""
    if name not in NAMES:
        closest = close_match(name, NAMES)
        raise refusal(f"there is no header field `{name}`", f'write `p.header("{closest or "ip.src"}")`')

    def found(packet: Thing) -> Thing:
        return fields_of(packet).get(name)

    return native(f"header({name!r})", found)


def fields_of(packet: Thing) -> Fields:
    """Return all header fields of a packet; one that is cut off has those that come before the cut."""
    if isinstance(packet, Mapping):
        data, link = packet.get("data"), packet.get("link", _ETHERNET)
    else:
        data, link = packet, _ETHERNET
    if not isinstance(data, bytes | bytearray):
        return {}
    found: Fields = {}
    # Where the packet ends inside a header, what came before it stands.
    with suppress(struct.error, IndexError, ValueError):
        _read(bytes(data), link, found)
    return found


def _read(data: bytes, link: Thing, found: Fields) -> None:
    if link == _ETHERNET:
        rest = _ethernet(data, found)
    else:
        rest = Rest(0x0800 if data[0] >> 4 == 4 else 0x86DD, data if link == _RAW else b"")
    if rest.kind == 0x0800:
        inner = _ipv4(rest.data, found)
    elif rest.kind == 0x86DD:
        inner = _ipv6(rest.data, found)
    else:
        return
    reader = _TRANSPORT.get(inner.kind)
    if reader is not None:
        reader(inner.data, found)


def _ethernet(data: bytes, found: Fields) -> Rest:
    target, source, kind = struct.unpack("!6s6sH", data[:14])
    end = 14
    while kind in (0x8100, 0x88A8):
        tag, kind = struct.unpack("!HH", data[end : end + 4])
        found["eth.vlan"] = tag & 0x0FFF
        end += 4
    found |= {"eth.dst": target.hex(":"), "eth.src": source.hex(":"), "eth.type": kind}
    return Rest(kind, data[end:])


def _ipv4(data: bytes, found: Fields) -> Rest:
    first, _, size, number, cut, life, kind, _, source, target = struct.unpack("!BBHHHBBH4s4s", data[:20])
    own = (first & 0x0F) * 4
    if first >> 4 != 4 or own < 20:
        raise ValueError
    found |= {"ip.version": 4, "ip.len": size, "ip.id": number, "ip.ttl": life, "ip.proto": kind}
    found |= {"ip.src": str(IPv4Address(source)), "ip.dst": str(IPv4Address(target))}
    # Only the first piece of a packet that was cut into pieces has the header that comes next.
    return Rest(kind if cut & 0x1FFF == 0 else -1, data[own : max(own, size)])


def _ipv6(data: bytes, found: Fields) -> Rest:
    first, size, kind, life, source, target = struct.unpack("!IHBB16s16s", data[:40])
    if first >> 28 != 6:
        raise ValueError
    found |= {"ip.version": 6, "ip.len": size, "ip.ttl": life}
    found |= {"ip.src": str(IPv6Address(source)), "ip.dst": str(IPv6Address(target))}
    rest = data[40 : 40 + size]
    while kind in _EXTENSIONS:
        kind, rest = rest[0], rest[(rest[1] + 1) * 8 :]
    found["ip.proto"] = kind
    return Rest(kind, rest)


def _tcp(data: bytes, found: Fields) -> None:
    source, target, sequence, answer, flags, window = struct.unpack("!HHIIHH", data[:16])
    found |= {"tcp.srcport": source, "tcp.dstport": target, "tcp.seq": sequence, "tcp.ack": answer}
    found |= {"tcp.flags": flags & 0x3F, "tcp.window": window, "tcp.len": max(0, len(data) - (flags >> 12) * 4)}
    found |= {f"tcp.flags.{name}": bool(flags >> place & 1) for place, name in enumerate(_FLAGS)}


def _udp(data: bytes, found: Fields) -> None:
    source, target, size = struct.unpack("!HHH", data[:6])
    found |= {"udp.srcport": source, "udp.dstport": target, "udp.len": size}


def _icmp(data: bytes, found: Fields) -> None:
    found |= {"icmp.type": data[0], "icmp.code": data[1]}


_TRANSPORT: Final[Mapping[int, Callable[[bytes, Fields], None]]] = {1: _icmp, 6: _tcp, 17: _udp, 58: _icmp}

NAMES: Final = (
    *("eth.dst", "eth.src", "eth.type", "eth.vlan"),
    *("ip.version", "ip.len", "ip.id", "ip.ttl", "ip.proto", "ip.src", "ip.dst"),
    *("tcp.srcport", "tcp.dstport", "tcp.seq", "tcp.ack", "tcp.flags", "tcp.window", "tcp.len"),
    *(f"tcp.flags.{name}" for name in _FLAGS),
    *("udp.srcport", "udp.dstport", "udp.len", "icmp.type", "icmp.code"),
)
"""The fields that can be asked for."""
