"""How much memory this process has had at most.

What `getrusage` says begins with the memory of whoever started the process, which may be more than it ever needs.
The mark that the kernel keeps for the program begins with nothing.
"""

from pathlib import Path


def peak_kib() -> int:
    """Return the greatest resident memory of this program so far, in KiB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
