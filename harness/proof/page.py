"""The laboratory page: what was measured, as sections of Markdown that are replaced one by one."""

from __future__ import annotations

import re
import statistics
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib import resources

from abiprobe.generators.tours import Part
from abiprobe.harness.proof.families import FAMILIES
from abiprobe.harness.proof.fate import DETECTED, Fate
from abiprobe.harness.proof.flags import Kill
from abiprobe.harness.proof.scoring import Score, Tried

KEPT = 0.1
"""Seconds: what took less was not derived, but kept."""
EQUIVALENT = "equivalent"
"""How the reason of a survivor begins that is provably the same model; it does not count."""
OPEN, CLOSE = "<!-- section {} -->", "<!-- end {} -->"


def put(page: str, name: str, text: str) -> str:
    """A page with one section replaced, or added at its end."""
    start, end = OPEN.format(name), CLOSE.format(name)
    section = f"{start}\n{text.strip()}\n{end}"
    if start not in page:
        return f"{page.rstrip()}\n\n{section}\n"
    return re.sub(f"{re.escape(start)}.*?{re.escape(end)}", lambda _: section, page, flags=re.DOTALL)


def tours_section(found: Sequence[tuple[str, tuple[Part, ...], float]]) -> str:
    """The automata and tours of each target; seconds are those of deriving them, once for each version."""
    lines = [
        "## Tours",
        "",
        "States and transitions of the automata derived from the models, the argument classes found, and the signatures of at most",
        "16 arguments that cross every transition. Of a variadic call only its own transitions count. Seconds of CPU are for deriving,",
        "done once for each version and then kept.",
        "",
        "| target | call | states | transitions | classes | signatures | derived in |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for target, parts, seconds in found:
        for number, part in enumerate(parts):
            took = "" if number else f"{seconds:.1f} s" if seconds >= KEPT else "kept"
            counts = (part.states, part.transitions, part.classes, len(part.signatures))
            shown = " | ".join(str(count) if count else "" for count in counts)
            lines.append(f"| {target if not number else ''} | {part.mode} | {shown} | {took} |")
    return "\n".join(lines)


def models_section(family: str, score: Score, seconds: float) -> str:
    """The trials of one family of models."""
    evidence, tried = score.evidence, score.tried
    rows: list[tuple[str, Sequence[Tried]]] = [("all", tried)]
    placing = [one for one in tried if is_placing(family, one)]
    rows.append(("that place arguments", placing))
    rows.append(
        ("a byte elsewhere", [one for one in placing if one.outcome.moves or one.outcome.fate in DETECTED])
    )
    subjects = [f"{one.subject} for {one.target}" for one in evidence.witnesses]
    golden = [f"{len(evidence.facts)} golden vectors"] if evidence.facts else []
    lines = [
        f"### {family}",
        "",
        f"{len(tried)} wrong models against {evidence.probes} probes: {', '.join((*golden, *subjects))}; in {seconds:.0f} s.",
        f"{score.hunted} of the questions were hunted: two models answer them differently, and no other told them apart.",
        "",
        "| policies | wrong models | " + " | ".join(fate.value for fate in Fate) + " | equivalent | score |",
        "| --- | ---: | " + "---: | " * (len(Fate) + 1) + "---: |",
    ]
    for title, chosen in rows:
        counted = Counter(one.outcome.fate for one in chosen)
        equivalent = sum(is_equivalent(family, one) for one in chosen)
        shown = " | ".join([*(str(counted[fate]) for fate in Fate), str(equivalent)])
        lines.append(f"| {title} | {len(chosen)} | {shown} | {percentage(counted, equivalent)} |")
    lines += ["", *survivors(family, tried)]
    return "\n".join(lines)


def percentage(counted: Counter[Fate], equivalent: int) -> str:
    """Detected of those that say something else of a byte, and are not provably the same."""
    detected = sum(counted[fate] for fate in DETECTED)
    whole = detected + counted[Fate.SURVIVED] - equivalent
    return f"{detected / whole:.1%}" if whole else ""


def survivors(family: str, tried: Sequence[Tried]) -> list[str]:
    """Those that survived, and those that said nothing else, each with its reason if it is known."""
    lines: list[str] = []
    for fate, title in ((Fate.SURVIVED, "Survived"), (Fate.SAME, "No difference on any probe")):
        chosen = sorted(one.mutant.name for one in tried if one.outcome.fate is fate)
        if chosen:
            lines += [f"{title}:", ""]
            known = {name: why for name in chosen if (why := reason(family, name))}
            lines += [f"* `{name}`: {why}" for name, why in known.items()]
            lines += unexplained([name for name in chosen if name not in known])
            lines.append("")
    return lines


def is_equivalent(family: str, tried: Tried) -> bool:
    """Whether a survivor is provably the same model as far as any byte can show."""
    survived = tried.outcome.fate is Fate.SURVIVED
    return survived and reason(family, tried.mutant.name).startswith(EQUIVALENT)


def reason(family: str, name: str) -> str:
    """Why a wrong model survived, or an empty string; a key that ends in a star is the beginning of names."""
    known = reasons().get(family, {})
    begun = (why for key, why in known.items() if key.endswith("*") and name.startswith(key[:-1]))
    return known.get(name) or next(begun, "")


def unexplained(names: Sequence[str]) -> list[str]:
    """Names without a reason, folded away."""
    if not names:
        return []
    listed = ", ".join(f"`{name}`" for name in names)
    summary = f"<details><summary>not explained: {len(names)}</summary>"
    return ["", summary, "", listed, "", "</details>"]


def is_placing(family: str, tried: Tried) -> bool:
    """Whether a mutant is one of a policy that places arguments."""
    chosen = FAMILIES[family]
    return tried.mutant.module in map(chosen.module, chosen.placing)


@cache
def reasons() -> dict[str, dict[str, str]]:
    """Why wrong models survived, by family and name."""
    text = resources.files("abiprobe.harness.proof").joinpath("survivors.toml").read_text("utf-8")
    return tomllib.loads(text)


def flags_section(kills: Sequence[Kill]) -> str:
    """Compilers with a flag of which the model was not told."""
    killed = [one for one in kills if one.fate == "killed"]
    alive = [one for one in kills if one.fate == "survived"]
    inert = [one for one in kills if one.fate == "inert"]
    lines = [
        "## Compilers made wrong by a flag",
        "",
        f"{len(killed)} killed, {len(alive)} survived, {len(inert)} inert (the same object code as without the flag, byte for byte, on every",
        "probe), the others refused by the compiler or the linker.",
    ]
    if killed:
        seconds = [one.seconds for one in killed]
        lines.append(
            f"Time to the first kill: median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s;"
            f" probes asked by then: median {statistics.median(one.probes for one in killed):.0f}."
        )
    lines += [
        "",
        "| target | subject | flag | fate | seconds | probes | clause blamed |",
        "| --- | --- | --- | --- | ---: | ---: | --- |",
    ]
    for one in kills:
        numbers = f"{one.seconds:.1f} | {one.probes}" if one.fate != "refused" else " | "
        known = reason("flags", f"{one.flag.target} {one.flag.family} {one.flag.text}")
        words = one.clause or known or one.detail.replace("|", "/")[:80]
        lines.append(
            f"| {one.flag.target} | {one.subject} | `{one.flag.text}` | {one.fate} | {numbers} | {words} |"
        )
    return "\n".join(lines)
