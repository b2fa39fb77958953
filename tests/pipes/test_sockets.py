"""A pipe over two processes: what is sent arrives, in order, and ends."""

import socket
import subprocess
import sys

import pytest

from cepheid import CepheidError
from cepheid import pipes as p

SENDER = "import sys; from cepheid import pipes as p; (p.apply(p.x * 2) | p.send(sys.argv[1])).run(range(2000))"


def free_url() -> str:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"ws://127.0.0.1:{one.getsockname()[1]}"


def test_values_go_from_one_process_to_another() -> None:
    url = free_url()
    with subprocess.Popen([sys.executable, "-c", SENDER, url]) as sender:
        assert (p.receive(url) | p.window(p.cumulate(p.add), 2)).run() == [4 * number + 2 for number in range(1999)]
        assert sender.wait() == 0


@pytest.mark.parametrize("url", ["http://127.0.0.1:80", "ws://127.0.0.1", "ws://example.org:80"])
def test_an_address_that_is_none_or_not_here_is_refused(url: str) -> None:
    with pytest.raises(CepheidError, match="bad-pipe"):
        p.send(url)
    with pytest.raises(CepheidError, match="bad-pipe"):
        p.receive(url)


def test_a_sender_has_no_output() -> None:
    sending = p.send("ws://127.0.0.1:1")
    assert (sending.inputs, sending.outputs) == (1, 0)
    with pytest.raises(CepheidError, match="no output to pull at"):
        sending.pull([1])
