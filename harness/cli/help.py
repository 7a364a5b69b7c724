"""Sections of options and examples in `--help`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import click

SECTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Compilers": ("subjects", "languages", "levels", "pairs", "witnesses", "confine"),
        "Questions": (
            "cases",
            "seed",
            "only",
            "language",
            "corpus",
            "examples",
            "tours",
            "complete",
            "complete_records",
            "shard",
        ),
        "Time and work": ("profile", "budget", "jobs", "dask", "fresh", "max_failures", "stop_on_new"),
        "Results": ("out", "resume", "raw", "reducing", "strict", "form"),
        "Known deviations": ("known", "known_only", "no_known"),
    }
)
"""The parameters of commands with many options, by section."""
REST = "Options"
"""The section of what is in no other."""

EXAMPLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "run": (
            "run riscv64-lp64d --cc gcc-16,clang-24 --seed 1",
            "run all --budget 30m",
            "run x86_64-sysv --only x86_64:pass.sse --stop-on-new",
        ),
        "check": (
            "check shapes.h --target x86_64-sysv",
            "check shapes.h -t x86_64-sysv,i386-sysv --baseline shapes.json",
            "check shapes.h --same-on x86_64-sysv,i386-sysv",
            "check shapes.h -t x86_64-sysv,s390x --binding shapes.rs",
        ),
        "promise": (
            "promise clang-22 --as clang-14 x86_64-sysv",
            "promise 'g++-12 -std=c++17' 'g++-12 -std=c++20' x86_64-sysv --first",
            "promise --matrix gcc x86_64-sysv --format html",
        ),
        "lowerings": (
            "lowerings x86_64-sysv --cc clang-24,clang-24+llvmabi",
            "lowerings aarch64-linux-gnu --cc clang-24,rustc",
            "lowerings types.h wasm32 --cc clang-24,rustc",
        ),
        "unwind": ("unwind x86_64-sysv --cc gcc-16,clang-24",),
        "debug-info": ("debug-info x86_64-sysv --cc gcc-16,clang-24",),
        "debugger": (
            "debugger --cc gcc-16",
            "debugger aarch64-aapcs64 --debugger gdb-multiarch",
        ),
        "march": ("march --cc gcc-16,clang-24 --cases 1000",),
        "ptx": ("ptx --functions 100 --kernels 50 --arch sm_90",),
        "libmvec": ("libmvec", "libmvec /usr/lib/x86_64-linux-gnu/libmvec.so.1"),
        "exposure": (
            "exposure include -t x86_64-sysv,aarch64-aapcs64",
            "exposure zlib1g-dev libsdl2-dev -t x86_64-sysv --cc gcc-12,clang-22 --by package",
        ),
        "explain": (
            "explain 'struct s { float a, b; }; void f(struct s);' --target riscv64-lp64d",
            "explain shapes.h --target x86_64-sysv --as clang-22",
            "explain riscv:fp.flatten-zero-width",
        ),
        "predict": ("predict shapes.h --target x86_64-sysv,aarch64-aapcs64",),
        "object": ("object old.o", "object old.o new.o"),
        "report": ("report --format html --out run.html", "report run --by clause"),
        "site": ("site nights/* --out pages",),
        "playground": ("playground --out page",),
        "dossier": ("dossier --count 5 --out reports",),
        "diff": ("diff night-1 night-2",),
        "coverage": ("coverage run",),
        "triage": ("triage", "triage run --budget 60s"),
        "reduce": ("reduce c5d4d8f7 --run run",),
        "bisect": ("bisect c5d4d8f7 --run run",),
        "repro": ("repro c5d4d8f7 --out bundle", "repro c5d4d8f7 --out test --as filecheck"),
        "accept": ("accept run",),
        "corpus": ("corpus add run", "corpus list", "corpus prune run"),
        "merge": ("merge part-1 part-2 --out whole",),
        "rejudge": ("rejudge run --out again",),
        "doctor": ("doctor --verbose",),
        "list": ("list targets", "list known '*vector*' --target riscv64-lp64d"),
        "toolchains": (
            "toolchains install gcc-16 clang-24",
            "toolchains remove clang-24",
            "toolchains list",
        ),
        "config": ("config",),
        "completion": ("completion bash",),
        "man": ("man build/man",),
    }
)
"""Command lines for each command, without the name of the program."""


class InSections(click.Command):
    """A command whose options are listed by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options under their sections; those of no section come last."""
        left = {
            one.name: record
            for one in self.get_params(ctx)
            if isinstance(one, click.Option) and (record := one.get_help_record(ctx)) is not None
        }
        for section, names in (*SECTIONS.items(), (REST, tuple(left))):
            if rows := [left.pop(name) for name in names if name in left]:
                with formatter.section(section):
                    formatter.write_dl(rows)


def add_examples(commands: Mapping[str, click.Command], program: str) -> None:
    """Give commands, and those below them, their examples, which stand at the end of their help."""
    for name, lines in EXAMPLES.items():
        command = commands[name]
        command.epilog = shown(program, lines)
        if isinstance(command, click.Group):
            for below, one in command.commands.items():
                one.epilog = shown(program, [line for line in lines if line.startswith(f"{name} {below}")])


def shown(program: str, lines: Sequence[str]) -> str:
    """Command lines as the end of a help."""
    return "\n".join(("\b", "Examples:", *(f"  {program} {line}" for line in lines)))
