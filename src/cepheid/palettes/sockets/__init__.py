"""A pipe over two processes: values go through a web socket, as JSON."""

from cepheid.palettes.sockets.connections import receive, send

__all__ = ["receive", "send"]
