"""The packets of a pcap file, as records with `time`, `size`, `link`, `data` and `left_out`.

A packet that was not captured as a whole is left out and counted: `left_out` is how many were before this one.
"""

import struct
from collections.abc import Iterator
from typing import Final

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.palettes.files import Given, bad_data, byte_blocks, source

LARGEST_PACKET: Final = 1 << 20
_MAGIC: Final = {
    b"\xd4\xc3\xb2\xa1": ("<", 1e-6),
    b"\xa1\xb2\xc3\xd4": (">", 1e-6),
    b"\x4d\x3c\xb2\xa1": ("<", 1e-9),
    b"\xa1\xb2\x3c\x4d": (">", 1e-9),
}
_FILE_HEAD, _PACKET_HEAD = 24, 16


def packets(src: Given) -> Processor:
    """The packets of a pcap file, as records."""
    return source("packets", src, _packets, "record")


class _Bytes:
    """Bytes that are taken in pieces of any size."""

    def __init__(self, given: Given) -> None:
        self.blocks, self.ahead = byte_blocks(given), b""

    def take(self, count: int) -> bytes:
        """Return so many bytes, or fewer where the file ends."""
        while len(self.ahead) < count and (block := next(self.blocks, b"")):
            self.ahead += block
        taken, self.ahead = self.ahead[:count], self.ahead[count:]
        return taken


def _packets(given: Given) -> Iterator[dict[str, Thing]]:
    data = _Bytes(given)
    head = data.take(_FILE_HEAD)
    if len(head) < _FILE_HEAD or head[:4] not in _MAGIC:
        raise bad_data("bad-capture", "this is no pcap file", given, None, "save the capture as pcap, not as pcapng")
    order, fraction = _MAGIC[head[:4]]
    (link,) = struct.unpack(f"{order}I", head[20:24])
    left_out = 0
    while len(told := data.take(_PACKET_HEAD)) == _PACKET_HEAD:
        seconds, part, captured, size = struct.unpack(f"{order}IIII", told)
        if captured > LARGEST_PACKET:
            raise bad_data("bad-capture", f"a packet claims to have {captured:,} bytes", given)
        content = data.take(captured)
        if len(content) < captured or captured < size:
            left_out += 1
            continue
        time = seconds + part * fraction
        yield {"time": time, "size": size, "link": link & 0xFFFF, "data": content, "left_out": left_out}
