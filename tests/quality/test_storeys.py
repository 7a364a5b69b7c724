"""The contracts on storeys are kept, and a contract notices what they forbid."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("importlinter", reason="import-linter is not installed")

ROOT = Path(__file__).parents[2]
CONTRACTS = {
    contract["containers"][0]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    if "containers" in contract
}
RUN = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"


def checked(room: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contract on the storeys of a room, of which `folder` has a copy."""
    contract = CONTRACTS[f"abiprobe.{room}"]
    (folder / ".importlinter").write_text(
        f"""[importlinter]
root_package = abiprobe

[importlinter:contract:storeys]
name = {contract["name"]}
type = {contract["type"]}
containers = abiprobe.{room}
exhaustive = {contract["exhaustive"]}
layers = {"".join(f"{chr(10)}    {layer}" for layer in contract["layers"])}
""",
        "utf-8",
    )
    return subprocess.run(
        [sys.executable, "-c", RUN, "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def copied(room: str, folder: Path) -> Path:
    """Copy the code of a room to where it can be imported from."""
    package = folder / "abiprobe"
    package.mkdir()
    # Without it, an installed package is found first, as a folder alone is only a portion of a namespace.
    (package / "__init__.py").touch()
    copy = package / room
    shutil.copytree(ROOT / room, copy, ignore=lambda at, names: unread(Path(at), names))
    return copy


def unread(folder: Path, names: list[str]) -> list[str]:
    return [name for name in names if not (name.endswith(".py") or (folder / name).is_dir())]


UPWARDS = {
    "results": (
        ("verdicts/record.py", "abiprobe.results.report.wrap"),
        ("journal/checksums.py", "abiprobe.results.coverage.counts"),
    ),
    "oracles": (("language/lang.py", "abiprobe.oracles.text.clause"),),
    "harness": (("base/scratch.py", "abiprobe.harness.machines.workbench"),),
}


@pytest.mark.parametrize("room", UPWARDS)
def test_storeys_import_downwards_only(room: str, tmp_path: Path) -> None:
    copied(room, tmp_path)
    done = checked(room, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("room", UPWARDS)
def test_imports_upwards_and_a_package_without_a_storey_are_noticed(room: str, tmp_path: Path) -> None:
    copy = copied(room, tmp_path)
    (copy / "attic").mkdir()
    (copy / "attic" / "__init__.py").touch()
    for module, imported in UPWARDS[room]:
        path = copy / module
        path.write_text(f"{path.read_text('utf-8')}\nimport {imported}\n", "utf-8")
    done = checked(room, tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "attic" in done.stdout
    for module, imported in UPWARDS[room]:
        importer = f"abiprobe.{room}.{module.removesuffix('.py').replace('/', '.')}"
        assert f"{importer} -> {imported}" in done.stdout


def test_results_have_at_most_eight_rooms() -> None:
    # A package that has moved leaves its bytecode behind, in a folder that is no room.
    files = (path.relative_to(ROOT / "results") for path in (ROOT / "results").rglob("*"))
    rooms = {path.parts[0] for path in files if len(path.parts) > 1 and "__pycache__" not in path.parts}
    assert rooms == set(CONTRACTS["abiprobe.results"]["layers"])
    assert len(rooms) <= 8
    assert [path.name for path in (ROOT / "results").glob("*.py")] == ["__init__.py"]
