"""i386 System V: options and conventions; what each rule says of a call is in `oracles/golden/i386.tsv`."""

from __future__ import annotations

from abiprobe.oracles.language.lang import Convention, Kind, Param, Prototype, Scalar
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment, Register, StackSlot, Unsupported


def test_int128_is_no_type_of_this_abi() -> None:
    prototype = Prototype("f", None, (Param("a", Scalar(Kind.INT128)),))
    assert isinstance(find_model("i386-sysv").assign(prototype), Unsupported)


def test_regparm_as_an_option_of_the_compiler() -> None:
    prototype = Prototype("f", None, (Param("a", Scalar(Kind.INT)), Param("b", Scalar(Kind.INT))))
    answer = find_model("i386-sysv", LayoutOptions(regparm=1)).assign(prototype)
    assert isinstance(answer, Assignment)
    assert [param.pieces[0].place for param in answer.params] == [Register("eax"), StackSlot(4)]


def test_a_convention_of_another_processor() -> None:
    prototype = Prototype("f", None, (), convention=Convention.STDCALL)
    assert isinstance(find_model("riscv64-lp64d").assign(prototype), Unsupported)
