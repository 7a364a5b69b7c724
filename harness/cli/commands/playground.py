"""`abiprobe playground`: a page that answers C declarations by the models, from static files alone."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.version import version
from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.cli.commands.site import write
from abiprobe.harness.nights.pyodide import runtime, wheels
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.report.html_pages import html_templates
from abiprobe.results.report.json_form import SCHEMA

ENTRY = "abiprobe.harness.api.playground"
"""The module that the page calls."""
FOLDER = "playground"
MARK = f"{FOLDER}/files.json"
"""The mark of a folder that a page was written to."""
DATA = (".toml", ".tsv")
"""How files end that modules read."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, which so depends on nothing but its contents."""
EXAMPLE = """\
struct point { char tag; double x; int flags : 3; };

struct point move(struct point from, float by, short steps);
"""
LISTING = (
    f"import json, sys, {ENTRY};"
    "found = {n: m.__file__ for n, m in sys.modules.items() if n.partition('.')[0] == 'abiprobe'};"
    "print(json.dumps({n: f for n, f in found.items() if f}))"
)
"""Prints the modules that are loaded for the page, with their files."""
SECONDS = 60.0


def playground(out: Path, form: str) -> int:
    """Write the page to a folder of its own; raises `Problem` where its files cannot be fetched or written."""
    try:
        foreign = out.is_file() or (out.exists() and any(out.iterdir()) and not (out / MARK).exists())
    except OSError as error:
        raise Problem(f"cannot read {out} ({error.strerror})", "choose another folder with --out") from error
    if foreign:
        raise Problem(f"{out} is not empty, and has no playground", "choose another folder with --out")
    static = ("style.css", _static("style.css"))
    written = write(out, [*playground_files("abiprobe", in_site=False, clauses={}), static])
    if form == "json":
        print_json({"schema": SCHEMA, "folder": str(out), **written._asdict()})
        return 0
    console = answers()
    console.print(f"{written.files} files, {written.bytes / 1e6:.1f} MB", soft_wrap=True, highlight=False)
    line = f"to look at it: python3 -m http.server -d {out}, then http://localhost:8000/playground.html"
    console.print(line, markup=False, soft_wrap=True, highlight=False)
    return 0


def playground_files(title: str, *, in_site: bool, clauses: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield the page and all that it loads, by path; `clauses` are the addresses of those with a page in the same folder."""
    page = html_templates("site").get_template("playground.html.j2")
    text = page.render(
        title=title,
        in_site=in_site,
        targets=[name for name, target in TARGETS.items() if target.modelled],
        default="x86_64-sysv",
        example=EXAMPLE,
        version=version(),
    )
    yield "playground.html", text.encode()
    yield "playground.js", _static("playground.js")
    yield f"{FOLDER}/worker.js", _static("worker.js")
    for name, data in runtime().items():
        yield f"{FOLDER}/pyodide/{name}", data
    archives = {**wheels(), "abiprobe.zip": _modules()}
    for name, data in archives.items():
        yield f"{FOLDER}/{name}", data
    yield MARK, json.dumps({"archives": list(archives), "clauses": dict(clauses)}).encode()


def _static(name: str) -> bytes:
    return resources.files("abiprobe.results.site").joinpath(name).read_bytes()


def _modules() -> bytes:
    """An archive of the modules that the page loads, and of the data beside them."""
    done = child.run((sys.executable, "-c", LISTING), timeout=SECONDS)
    assert done.ok, done.stderr.decode(errors="replace")
    files: dict[str, Path] = {}
    for module, file in json.loads(done.stdout).items():
        path = Path(file)
        inside = module.replace(".", "/")
        if path.name == "__init__.py":
            files |= {f"{inside}/{one.name}": one for one in path.parent.iterdir() if one.suffix in DATA}
            files[f"{inside}/__init__.py"] = path
        else:
            files[f"{inside}.py"] = path
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
