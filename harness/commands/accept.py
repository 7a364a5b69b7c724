"""`abiprobe accept`: entries for the known deviations, ready to paste."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from abiprobe.harness.commands.console import answers, asides
from abiprobe.harness.commands.report import declaration
from abiprobe.harness.commands.run import workers
from abiprobe.harness.commands.triage import triaged
from abiprobe.harness.problem import Problem
from abiprobe.harness.recollect import recollect
from abiprobe.harness.runs import read_run
from abiprobe.results.blame import families, family
from abiprobe.results.cluster import Cluster
from abiprobe.results.journal import Run
from abiprobe.results.known import Known, numbers_of
from abiprobe.results.traits import described

TODO = "TODO"


def accept(folder: Path, jobs: object, known: Known, write: Path | None) -> int:
    """Print an entry for each new cause of a run; append them to a file when told to. Edits nothing else."""
    run = read_run(folder)
    memory = recollect(triaged(folder, run, workers(jobs)), known, run)
    text = "\n".join(entry(item, run) for item in memory.new)
    if write is None:
        answers().print(text, markup=False, soft_wrap=True)
    elif text:
        try:
            before = write.read_text("utf-8") if write.exists() else ""
            write.write_text(f"{before}\n{text}" if before else text, "utf-8")
        except OSError as error:
            raise Problem(f"cannot write {write} ({error.strerror})") from error
    gone = "".join(f"; remove: {one.name}" for one in memory.gone)
    aside = asides()
    where = f" written to {write}" if write else ""
    aside.print(
        f"{len(memory.new)} new{where}; reason and link are to be filled in{gone}",
        soft_wrap=True,
        markup=False,
    )
    return 0


def entry(item: Cluster, run: Run) -> str:
    """The entry of one cluster as TOML, with the reason and link left to a person."""
    today = datetime.now(UTC).date().isoformat()
    versions = {info.subject: info.version for info in run.header.subjects}
    pairs = {
        "name": f"{described(item.traits)} ({', '.join(families(item.subjects))}, {item.id})",
        "targets": list(item.targets),
        "clauses": list(item.clauses[:1]),
        "subjects": list(dict.fromkeys(version_range(one, versions) for one in sorted(item.subjects))),
        "traits": list(item.traits),
        "status": "bug",
        "reason": TODO,
        "link": "unreported",
        "example": declaration(item.first.example),
    }
    body = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in pairs.items() if value]
    return "\n".join(["[[deviation]]", *body, f"since = {today}", ""])


def version_range(subject: str, versions: dict[str, str]) -> str:
    """A subject's family at the major version that was seen; before the first one, at the minor version."""
    found = numbers_of(versions.get(subject, ""))
    shown = found[: 1 if found[:1] > (0,) else 2]
    return f"{family(subject)}=={'.'.join(map(str, shown))}" if shown else family(subject)
