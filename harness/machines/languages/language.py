"""A language: what `subject.toml` in its folder says, and the templates beside it.

`subject.toml` has the command line of the compiler, the names of types, and what the language can say; the templates
print records, callers and callees. docs/how-to/language.md describes every field and adds a language from nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.oracles.language.constructs import CONSTRUCTS
from abiprobe.oracles.language.features import SAMPLES

if TYPE_CHECKING:
    import jinja2

HERE = Path(__file__).parent
FILE = "subject.toml"
RECORD, CALLER, CALLEE, UNIT = "record.j2", "caller.j2", "callee.j2", "unit.j2"
LAYOUTS, PROTOTYPE, SIGNATURES = "layouts.j2", "prototype.j2", "signatures.j2"
TEMPLATES = (CALLER, CALLEE, UNIT)
"""Templates that no language does without; `record.j2` is for those with records, `layouts.j2` for those that tell layouts,
and `prototype.j2` for people."""
EVERYTHING = CONSTRUCTS | SAMPLES.keys()
"""All that a question may need of a language."""
OPTIMISED = "O2"
SHARED = ("language", "suffix", "types", "integers", "says", "calls", "levels", "keywords", "escape")
"""Keys that two compilers of one language have in common with the templates."""
PLACES = (("{source}",), ("{object}", "{stem}"))
"""The places that a command must name, each in one of these ways."""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `subject.toml`.

    `programs` are the names of the compiler's program, first choice first. `command` are its arguments, with
    `{source}` and `{object}` for the files, `{stem}` for the object file without its suffix, `{folder}` for a scratch folder,
    and `{kept}` for a folder that compilations share as long as a process lives; `{target}`, `{level}` and `{options}` stand
    for the options of `targets`, of `levels` and of the user. `environment` is added to that of its process. `types`
    spells the types, `says` lists the constructs and features that the language has beside those types. `samples` are
    units by which a compiler is asked whether it has a feature. `llvm_ir` are the arguments, instead of `command`, that
    write text of LLVM IR to `{object}`, and `triples` has, for triples without a target here, the options in the place
    of `{target}`; those of `*`, with `{triple}`, are for all others. `templates` is the folder, seen from this one, of
    the templates that are not here; its `subject.toml` says what of `SHARED` is not said here. `version` asks the program
    for its version. `alone` says that the program starts no other one, so that its file and its libraries tell which it
    is. `cross` says that each target but those of this machine
    has a program of its own, named as GNU cross tools are, and `beside` names programs that must be there as well.
    `files` are further files, written where the source is. `integers` are the language's own names of those integers that
    `types` spells by sign and bits. `calls` is what it can say where it calls a function, but not where it defines one.
    `release` is what `abiprobe toolchains install` calls the compiler, which is taken from the cache where PATH has none.
    """

    name: str
    language: str
    suffix: str
    programs: tuple[str, ...]
    command: tuple[str, ...]
    targets: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    says: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    samples: Mapping[str, str] = {}
    llvm_ir: tuple[str, ...] = ()
    triples: Mapping[str, tuple[str, ...]] = {}
    keywords: tuple[str, ...] = ()
    escape: str = "{name}_"
    alone: bool = False
    version: tuple[str, ...] = ("--version",)
    environment: Mapping[str, str] = {}
    templates: str = ""
    integers: Mapping[str, str] = {}
    cross: bool = False
    beside: tuple[str, ...] = ()
    files: Mapping[str, str] = {}
    calls: tuple[str, ...] = ()
    release: str = ""


class Language:
    """A language by its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.about = described(folder)

    @property
    def name(self) -> str:
        """The name of the subject."""
        return self.about.name

    @cached_property
    def says(self) -> frozenset[str]:
        """The constructs and features that the language can say."""
        return frozenset({*self.about.says, *self.about.types, *self.about.calls})

    @property
    def has_ir(self) -> bool:
        """Return whether its compiler writes LLVM IR, and signatures can be printed for that."""
        return bool(self.about.llvm_ir) and self.has(SIGNATURES)

    @cached_property
    def lacks(self) -> frozenset[str]:
        """The constructs and features that it cannot."""
        return EVERYTHING - self.says

    @cached_property
    def lacks_to_define(self) -> frozenset[str]:
        """The constructs and features with which it cannot define a function."""
        return self.lacks.union(self.about.calls)

    @cached_property
    def folders(self) -> tuple[Path, ...]:
        """The folders in which its templates are looked for."""
        return folders_of(self.about, self.folder)

    @cached_property
    def _environment(self) -> jinja2.Environment:
        # Whoever only lists compilers prints nothing in their languages.
        import jinja2

        from abiprobe.harness.base.text_templates import environment

        return environment(jinja2.FileSystemLoader(self.folders))

    def has(self, template: str) -> bool:
        """Return whether there is such a template."""
        return any((folder / template).is_file() for folder in self.folders)

    def render(self, template: str, **values: object) -> str:
        """A template filled in; raises `Problem` for one that is missing or wrong."""
        import jinja2

        try:
            return self._environment.get_template(template).render(values)
        except jinja2.TemplateNotFound as error:
            raise Problem(f"{self.folder} has no {error.name}", "see docs/how-to/language.md") from error
        except jinja2.TemplateError as error:
            line = f", line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else ""
            raise Problem(
                f"{self.folder / template}{line}: {error}", "see docs/how-to/language.md"
            ) from error

    def unit(self, probes: Sequence[str], layouts: str = "", tag: str = "") -> str:
        """A unit with these functions and types; `tag` tells its names from those of other units."""
        return self.render(UNIT, probes=probes, layouts=layouts, tag=tag)

    def own(self, name: str) -> str:
        """A name of a question as the language takes it."""
        return self.about.escape.format(name=name) if name in self.about.keywords else name

    @cached_property
    def digest(self) -> str:
        """A digest of the folder: what a compiler is asked depends on it."""
        found = hashlib.sha256()
        for path in (path for folder in self.folders for path in sorted(folder.iterdir())):
            if path.is_file():
                found.update(path.name.encode() + b"\0" + path.read_bytes())
        return found.hexdigest()[:16]


def described(folder: Path) -> Description:
    """Return the description in a folder's `subject.toml`; raises `Problem` for one that is missing or wrong."""
    path = folder / FILE
    try:
        said = msgspec.toml.decode(path.read_bytes(), type=dict[str, object])
        other = said.get("templates")
        if isinstance(other, str) and (kin := folder / other / FILE).is_file():
            of_kin = msgspec.toml.decode(kin.read_bytes(), type=dict[str, object])
            said = {name: of_kin[name] for name in SHARED if name in of_kin} | said
        about = msgspec.convert(said, Description)
    except OSError as error:
        raise Problem(f"{path} cannot be read ({error.strerror})", "see docs/how-to/language.md") from error
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise Problem(f"{path}: {error}", "see docs/how-to/language.md") from error
    for wrong in (*wrong_names(about), *missing(about, folder)):
        raise Problem(f"{path}: {wrong}", "see docs/how-to/language.md")
    return about


def wrong_names(about: Description) -> list[str]:
    """Return the names in a description that do not exist."""
    unknown = sorted({*about.says, *about.types, *about.samples, *about.calls} - EVERYTHING)
    found = [f"nothing is called {name!r}" for name in unknown]
    found += [f"the command has no {places[0]}" for places in PLACES if not has_place(about, places)]
    found += [f"{name!r} is no file name" for name in about.files if Path(name).name != name]
    if OPTIMISED not in about.levels:
        found.append(f"there are no options for the level {OPTIMISED}")
    return found


def has_place(about: Description, places: tuple[str, ...]) -> bool:
    """Return whether the command of a description names a file in one of these ways."""
    return any(place in word for word in about.command for place in places)


def missing(about: Description, folder: Path) -> list[str]:
    """The templates that a folder needs and has not."""
    records = (RECORD,) if {"record", "union"} & set(about.types) else ()
    places = folders_of(about, folder)
    return [
        f"{name} is missing beside it"
        for name in (*TEMPLATES, *records)
        if not any((place / name).is_file() for place in places)
    ]


def folders_of(about: Description, folder: Path) -> tuple[Path, ...]:
    """Return the folders in which the templates of a language are looked for."""
    return (folder, (folder / about.templates).resolve()) if about.templates else (folder,)


@cache
def built_in() -> Mapping[str, Path]:
    """The folders of the languages that come with abiprobe, by the names of their subjects."""
    folders = sorted(path.parent for path in HERE.glob(f"*/{FILE}"))
    return {find_language(str(folder)).name: folder for folder in folders}


@cache
def find_language(folder: str) -> Language:
    """The language in a folder; raises `Problem` for what is none."""
    return Language(Path(folder))
