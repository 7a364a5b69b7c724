"""A process with one context of a GPU: `gpu_child.py LIBRARY LAUNCHES SECONDS` launches kernels one by one and tells of each.

A context does not survive a trap, and no other can be had in the same process; so it ends then, and another goes on with what is
left. LAUNCHES is a file with a JSON list of objects, whose members are the arguments of `Driver.launch`: bytes in hexadecimal, the image and
what the memory has before as names of files, and the name of the file for what it has afterwards. On its output is first a line with the
device, then for each launch one line before, with its number, and one behind. A launch that takes longer than SECONDS ends it by SIGALRM. It has no import of abiprobe's, for it is run by its path.
"""

import ctypes
import json
import os
import runpy
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def main(arguments: list[str]) -> None:
    """Carry out the launches of a file."""
    library, launches, seconds = arguments
    driver = runpy.run_path(str(Path(__file__).with_name("driver.py")))
    serve(driver, lambda: ctypes.CDLL(library), listed(launches), float(seconds), printed, os.getppid())


def listed(path: str) -> list[dict[str, Any]]:
    """The launches in a file."""
    found: list[dict[str, Any]] = json.loads(Path(path).read_text("utf-8"))
    return found


def printed(line: dict[str, Any]) -> None:
    """Print a line at once, as it may be the last."""
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


def serve(
    driver_module: Mapping[str, Any],
    load: Callable[[], Any],
    launches: list[dict[str, Any]],
    seconds: float,
    tell: Callable[[dict[str, Any]], None],
    share: int = 0,
) -> None:
    """Launch all, until one fails, with the names of the module `driver`; workers that differ in `share` take GPUs of a kind in turn."""
    failure = driver_module["DriverError"]
    try:
        driver = driver_module["Driver"](load())
        name, arch = driver.open(share)
        release = driver.release()
    except (failure, OSError) as error:
        tell({"unusable": str(error)})
        return
    tell({"device": name, "arch": arch, "release": release})
    for number, one in enumerate(launches):
        more = launches[number + 1 : number + 2]
        tell({"begun": number})
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            seen, offsets = driver.launch(
                **arguments(one, keep=bool(more) and more[0]["image"] == one["image"])
            )
        except failure as error:
            tell({"failed": number, "function": error.function, "words": str(error)})
            return
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        Path(one["seen"]).write_bytes(seen)
        tell({"done": number, "offsets": offsets})


def arguments(one: Mapping[str, Any], *, keep: bool) -> dict[str, Any]:
    """The arguments of a launch."""
    values = one["values"]
    return {
        "image": Path(one["image"]).read_bytes(),
        "kernel": one["kernel"],
        "given": Path(one["given"]).read_bytes(),
        "block": bytes.fromhex(one["block"]),
        "values": None if values is None else [bytes.fromhex(value) for value in values],
        "pointer_at": one["pointer_at"],
        "threads": one["threads"],
        "shared": one["shared"],
        "keep": keep,
    }


if __name__ == "__main__":
    main(sys.argv[1:])
