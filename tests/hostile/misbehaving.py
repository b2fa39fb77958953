"""Cases that do all that a case must not do, by their seeds: for the tests of what watches them."""

import ctypes
import os


def case(seed: int) -> str:
    match seed % 10:
        case 1:
            raise ValueError("not what was promised")
        case 2:
            os.abort()
        case 3:
            while True:
                pass
        case 4:
            held = bytearray(b"x" * (200 << 20))
            while held:
                pass
        case 5:
            ctypes.string_at(0)
        case 6:
            os._exit(0)
    return "answer" if seed % 2 else "refused"
