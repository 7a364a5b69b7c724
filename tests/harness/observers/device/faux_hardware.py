"""Hardware for a faux driver: it does with bytes what the machine code of linked functions does with symbols.

Kernels and what copies memory for them have branches, which nobody here follows: what they do is written down.
"""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.harness.observers.device.arrival import at_call, at_return
from abiprobe.harness.observers.device.assembler.cubin import Cubin
from abiprobe.harness.observers.device.assembler.driver import MEMORY
from abiprobe.harness.observers.device.assembler.probes import END, OUT, START
from abiprobe.harness.observers.device.sass.follow import follow
from abiprobe.harness.observers.device.sass.state import Misaligned, State
from abiprobe.harness.observers.device.sass.symbols import Loaded, Masked, Partial, Sign, Symbol
from abiprobe.oracles.engine.records import round_up
from tests.harness.observers.device.faux_driver import MISALIGNED_ADDRESS, FauxDriver, Trap

NOISE = 0xEE
"""What is in a place that nobody wrote, or of which nothing is known."""
Hardware = Callable[[FauxDriver, bytes, bytes], None]


def hardware(device: FauxDriver, block: bytes, image: bytes) -> None:
    """Run the kernel of a launch."""
    memory = device.variable(MEMORY)
    cubin, number = Cubin(image), device.kernel.partition("_")[2]
    window = bytearray(device.read(memory, END))
    if device.kernel.startswith("k"):
        caller, callee = (follow(cubin.code(f"{kind}_{number}") or b"") for kind in "ct")
        call(caller, callee, window)
    else:
        record = cubin.kernel(device.kernel)
        assert record is not None
        slot = START
        for param in record.params:
            value = block[param.offset : param.offset + param.size]
            window[slot + OUT : slot + OUT + param.size] = value
            slot += round_up(param.size, 8)
    device.write(memory, bytes(window))


def call(caller: State, callee: State, window: bytearray) -> None:
    """What a caller and the callee that it is linked with do to shared memory."""
    if any(isinstance(fault, Misaligned) for fault in (*caller.faults, *callee.faults)):
        raise Trap(MISALIGNED_ADDRESS)
    before = bytes(window)
    (at,) = caller.calls
    for address, symbol in callee.shared.items():
        window[address] = byte(at_call(at, symbol), before)
    for address, symbol in caller.shared.items():
        window[address] = byte(at_call(at, at_return(callee, symbol)), before)


def byte(symbol: Symbol, memory: bytes) -> int:
    """The number that a symbol stands for."""
    match symbol:
        case int():
            return symbol
        case Loaded(address):
            return memory[address]
        case Sign(of):
            return 0xFF * (byte(of, memory) >> 7)
        case Masked(of, mask) | Partial(of, mask):
            return byte(of, memory) & mask
        case _:
            return NOISE
