"""Rust's text as a binding, and without what only `core` and `std` give a meaning to, so that it can be compiled for every target.

Types, constants, foreign functions and modules stay where they are, to the line; what else there is becomes spaces.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.binding import Binding, Bits, BoundConstant, BoundFunction, BoundType, Left
from abiprobe.harness.bindings.rust_cfg import Conditions

if TYPE_CHECKING:
    from tree_sitter import Node

ROOT = "binding"
"""The module that the text becomes."""
CFG = re.compile(r"#\[\s*cfg\s*\((.*)\)\s*\]", re.DOTALL)
CFG_ATTR = re.compile(r"#\[\s*cfg_attr\s*\((.*),\s*repr\s*(\(.*\))\s*,?\s*\)\s*\]", re.DOTALL)
REPR = re.compile(r"#\[\s*repr\b")
SYMBOL = '#[link_name = "_start"] '
"""The symbol of each function: one that every program has, as none is called by its own."""
BITS = re.compile(
    r"self\s*\.\s*(\w+)\s*\.\s*get(?:_const)?\s*"
    r"(?:\(\s*(\d+)(?:usize)?\s*,\s*(\d+)(?:u8)?\s*,?\s*\)|::\s*<\s*(\d+)(?:usize)?\s*,\s*(\d+)(?:u8)?\s*>)"
)
"""The bits that bindgen's accessor of a bit-field reads: the first bit in its storage, and how many."""
NOTHING: Mapping[int, str] = MappingProxyType({})
CSTR = re.compile(r'\b([bc])"((?:[^"\\]|\\.)*)"', re.DOTALL)
"""The literal in the value of a `CStr`; `c` has a last byte that it does not say."""
TEXT = re.compile(r"&\s*(?:'static\s+)?\[\s*u8\s*;\s*(\d+)(?:usize)?\s*\]")


def parsed(text: bytes) -> Any:
    """The syntax tree of Rust; raises `Problem` where the grammar is not installed."""
    try:
        from tree_sitter import Language, Parser
        from tree_sitter_rust import language
    except ImportError as error:
        raise Problem("reading Rust needs tree-sitter", "pip install tree-sitter tree-sitter-rust") from error
    return Parser(Language(language())).parse(text).root_node


class RustText:
    """A text of Rust: `binding` is what it declares, and `text` what is left of it, of as many lines.

    Items with a line of `refused`, for which it has the compiler's words, are left out.
    """

    def __init__(
        self, file: str, text: bytes, conditions: Conditions, refused: Mapping[int, str] = NOTHING
    ) -> None:
        self._source, self._conditions, self._refused = text, conditions, refused
        self._edits: list[tuple[int, int, bytes]] = []
        self._types: dict[str, BoundType] = {}
        self._functions: dict[str, BoundFunction] = {}
        self._constants: dict[str, BoundConstant] = {}
        self._bits: dict[str, dict[str, Bits]] = {}
        self._left: list[Left] = []
        self._type_of: dict[str, str] = {}
        self._walk(parsed(text), ROOT)
        types = {name: _with_bits(one, self._bits.get(name, {})) for name, one in self._types.items()}
        functions = {name: self._unwrapped(one) for name, one in self._functions.items()}
        numbers = {name: self._number(name, one) for name, one in self._constants.items()}
        self.binding = Binding(file, types, functions, numbers, tuple(self._left))
        self.text = self._edited()

    def _edited(self) -> bytes:
        found = bytearray(self._source)
        for start, end, instead in sorted(self._edits, reverse=True):
            found[start:end] = instead
        return bytes(found)

    def _blank(self, node: Node) -> None:
        kept = bytes(byte if byte in b"\n\r" else ord(" ") for byte in _bytes(node))
        self._edits.append((node.start_byte, node.end_byte, kept))

    def _insert(self, at: int, text: str) -> None:
        self._edits.append((at, at, text.encode()))

    def _walk(self, nodes: Node, path: str) -> None:
        for node, attributes in with_attributes(nodes):
            self._item(node, attributes, path)

    def _item(self, node: Node, attributes: Sequence[Node], path: str) -> None:
        inner = node.type in {"mod_item", "foreign_mod_item"}
        if self._is_inactive(node, attributes) or (
            not inner and self._is_refused(node, attributes, _name(node))
        ):
            return
        self._keep(attributes)
        name = _name(node)
        match node.type:
            case "struct_item" | "union_item" | "enum_item":
                self._record(node, name, path)
            case "type_item":
                self._public(node)
                c_type = node.child_by_field_name("type")
                self._types[name] = BoundType(f"{path}::{name}", _line(node), alias=last_name(_text(c_type)))
            case "const_item" if name != "_":
                self._constant(node, name, f"{path}::{name}")
            case "foreign_mod_item":
                self._foreign(node, path)
            case "mod_item" if (body := node.child_by_field_name("body")) is not None:
                self._public(node)
                before = set(self._constants), set(self._types)
                self._walk(body, f"{path}::{name}")
                self._of_module(name, *before)
            case "impl_item":
                self._implementation(node, path)
            case "use_declaration" | "extern_crate_declaration" | "macro_definition":
                pass
            case _:
                if node.type in {"macro_invocation", "expression_statement", "static_item"}:
                    self._left.append(
                        Left(_line(node), name or _text(node).split("!")[0].strip(), UNREAD[node.type])
                    )
                self._blank(node)

    def _is_refused(self, node: Node, attributes: Sequence[Node], name: str) -> bool:
        """Leave out an item that the compiler refuses."""
        lines = range(_line(node), node.end_point[0] + 2)
        words = next((self._refused[line] for line in lines if line in self._refused), None)
        if words is not None:
            self._left.append(Left(_line(node), name, words))
            for one in (*attributes, node):
                self._blank(one)
        return words is not None

    def _is_inactive(self, node: Node, attributes: Sequence[Node]) -> bool:
        """Leave out what the target has not."""
        said = (found[1] for one in attributes if (found := CFG.fullmatch(_text(one))))
        if all(self._conditions.hold(one) for one in said):
            return False
        for one in (*attributes, node):
            self._blank(one)
        return True

    def _keep(self, attributes: Sequence[Node]) -> None:
        """Keep the attributes that decide layouts; the others become spaces."""
        for node in attributes:
            text = _text(node)
            if conditional := CFG_ATTR.fullmatch(text):
                holds = self._conditions.hold(conditional[1])
                self._replace(node, f"#[repr{conditional[2]}]" if holds else "")
            elif REPR.match(text) is None:
                self._blank(node)

    def _public(self, node: Node) -> None:
        """Make an item public: what a crate keeps to itself is compared as well."""
        if not any(child.type == "visibility_modifier" for child in node.children):
            self._insert(node.start_byte, "pub ")

    def _record(self, node: Node, name: str, path: str) -> None:
        self._public(node)
        members: dict[str, tuple[int, str]] = {}
        body = node.child_by_field_name("body")
        for child, attributes in with_attributes(body):
            if self._is_inactive(child, attributes):
                continue
            self._keep(attributes)
            if child.type == "field_declaration":
                self._public(child)
                c_type = _text(child.child_by_field_name("type"))
                members[_name(child).removeprefix("r#")] = _line(child), c_type
            elif child.type == "enum_variant":
                value = f"{path}::{name}::{_name(child)} as i128"
                self._constants[f"{name}::{_name(child)}"] = BoundConstant(_line(child), value)
        if body is not None and body.type == "ordered_field_declaration_list":
            for child in body.children_by_field_name("type"):
                before = child.prev_sibling
                if before is None or before.type != "visibility_modifier":
                    self._insert(child.start_byte, "pub ")
                members[str(len(members))] = _line(child), _text(child)
        self._types[name] = BoundType(
            f"{path}::{name}",
            _line(node),
            None if node.type == "enum_item" and body is not None and body.named_children else members,
        )
        self._insert(node.end_byte, f" {copied(name, node.child_by_field_name('type_parameters'))}")

    def _constant(self, node: Node, name: str, path: str) -> None:
        c_type = node.child_by_field_name("type")
        said = _text(c_type)
        length = int(text[1]) if (text := TEXT.fullmatch(said)) else 0
        if c_type is not None and said.endswith("CStr") and said.startswith("&"):
            length = self._of_string(c_type, node.child_by_field_name("value"))
        if said.startswith("&") and not length:
            self._left.append(Left(_line(node), name, f"a constant of the type {said} is not compared"))
            self._blank(node)
            return
        self._public(node)
        self._constants[name] = BoundConstant(_line(node), path if length else f"{path} as i128", length)
        self._type_of[name] = said

    def _of_string(self, c_type: Node, value: Node | None) -> int:
        """Make an array of bytes of a `CStr`, which only `core` has; returns its length, 0 for none."""
        found = CSTR.search(_text(value))
        if found is None or value is None:
            return 0
        literal = f'b"{found[2]}\\0"' if found[1] == "c" else f'b"{found[2]}"'
        with suppress(SyntaxError, ValueError):
            length = len(ast.literal_eval(literal))
            self._replace(c_type, f"&[u8; {length}]")
            self._replace(value, literal)
            return length
        return 0

    def _replace(self, node: Node, text: str) -> None:
        """Write another text, of as many lines."""
        self._edits.append(
            (node.start_byte, node.end_byte, text.encode() + b"\n" * _bytes(node).count(b"\n"))
        )

    def _number(self, name: str, constant: BoundConstant) -> BoundConstant:
        """A constant as a number where a struct is around it."""
        if not self.is_wrapped(self._type_of.get(name, "")):
            return constant
        value = constant.value.replace(" as i128", ".0 as i128")
        return BoundConstant(constant.line, value, constant.length)

    def _unwrapped(self, function: BoundFunction) -> BoundFunction:
        wrapped = self.is_wrapped(self._type_of.get(f"fn {function.name}", ""))
        return msgspec.structs.replace(function, inner=".0") if wrapped else function

    def is_wrapped(self, c_type: str) -> bool:
        """Return whether a type is a struct around one value, as bindgen makes of some enumerations."""
        made = self._types.get(last_name(c_type))
        return made is not None and made.members is not None and "0" in made.members

    def _of_module(self, name: str, constants: set[str], types: set[str]) -> None:
        """Give what a module has, which may be bindgen's of an enumeration, the names that it has outside."""
        for one in [key for key in self._constants if key not in constants]:
            self._constants[f"{name}::{one}"] = self._constants[one]
            self._type_of[f"{name}::{one}"] = self._type_of.get(one, "")
        if "Type" in self._types and "Type" not in types:
            self._types[name] = self._types.pop("Type")

    def _foreign(self, node: Node, path: str) -> None:
        convention = next(
            (_text(child) for child in node.children if child.type == "extern_modifier"), "extern"
        )
        convention = convention if '"' in convention else f'{convention} "C"'
        for child, attributes in with_attributes(node.child_by_field_name("body")):
            if self._is_inactive(child, attributes):
                continue
            if child.type == "function_signature_item":
                self._function(child, attributes, convention, path)
            else:
                self._left.append(Left(_line(child), _name(child), UNREAD["static_item"]))
                for one in (*attributes, child):
                    self._blank(one)

    def _function(self, node: Node, attributes: Sequence[Node], convention: str, path: str) -> None:
        name = _name(node).removeprefix("r#")
        linked = next((found[1] for one in attributes if (found := LINK_NAME.search(_text(one)))), name)
        symbol = linked.removeprefix("\\u{1}")
        if self._is_refused(node, attributes, symbol):
            return
        self._keep(attributes)
        is_public = any(child.type == "visibility_modifier" for child in node.children)
        self._insert(node.start_byte, SYMBOL if is_public else f"{SYMBOL}pub ")
        parameters = node.child_by_field_name("parameters")
        listed = parameters.named_children if parameters is not None else []
        variadic = any(child.type == "variadic_parameter" for child in listed)
        types = [_text(child.child_by_field_name("type")) for child in listed if child.type == "parameter"]
        count, result = len(types), node.child_by_field_name("return_type")
        returns = result is not None and _text(result) not in {"()", "!"}
        self._type_of[f"fn {name}"] = _text(result)
        places = ", ".join((*("_" for _ in range(count)), *(["..."] if variadic else [])))
        like = f"unsafe {convention} fn({places}){' -> _' if returns else ''} = {path}::{_name(node)}"
        self._functions[symbol] = BoundFunction(
            name, _line(node), like, count, variadic, returns, types=(*types, _text(result))
        )

    def _implementation(self, node: Node, path: str) -> None:
        """Keep the constants of a type, and what accessors say of bit-fields."""
        body, c_type = node.child_by_field_name("body"), node.child_by_field_name("type")
        of = last_name(_text(c_type))
        inner = list(body.named_children) if body is not None else []
        constants = [one for one in inner if one.type == "const_item"]
        for one in inner:
            if one.type == "function_item" and (found := BITS.search(_text(one))):
                at, width = found[2] or found[4], found[3] or found[5]
                self._bits.setdefault(of, {})[_name(one).removeprefix("r#")] = Bits(
                    found[1], int(at), int(width)
                )
        if node.child_by_field_name("trait") is not None or not constants:
            self._blank(node)
            return
        for one in inner:
            if one.type != "const_item":
                self._blank(one)
                continue
            name = _name(one)
            self._constant(one, f"{of}::{name}", f"{path}::{of}::{name}")


def with_attributes(body: Node | None) -> Iterator[tuple[Node, list[Node]]]:
    """Yield what is in a node, each with the attributes before it."""
    attributes: list[Node] = []
    for child in body.named_children if body is not None else ():
        if child.type == "attribute_item":
            attributes.append(child)
        elif child.type not in {"line_comment", "block_comment"}:
            yield child, attributes
            attributes = []


UNREAD = {
    "macro_invocation": "what a macro makes is not compared",
    "expression_statement": "what a macro makes is not compared",
    "static_item": "an object is not compared",
}
LINK_NAME = re.compile(r'link_name\s*=\s*"([^"]*)"')


def _with_bits(one: BoundType, bits: dict[str, Bits]) -> BoundType:
    return BoundType(one.path, one.line, one.members, one.alias, bits) if bits else one


def _bytes(node: Node) -> bytes:
    return node.text or b""


def _text(node: Node | None) -> str:
    return _bytes(node).decode(errors="replace") if node is not None else ""


def _line(node: Node) -> int:
    return int(node.start_point[0]) + 1


def _name(node: Node) -> str:
    if (named := node.child_by_field_name("name")) is not None:
        return _text(named)
    return _text(node.named_children[0]) if node.type == "attribute" and node.named_children else ""


def last_name(text: str) -> str:
    """The last name of a path, without what it is given: `z_stream` of `super::z_stream<T>`."""
    bare = text.partition("<")[0].strip()
    return bare.rpartition("::")[2].strip() if re.fullmatch(r"[\w:# ]+", bare) else ""


def copied(name: str, parameters: Node | None) -> str:
    """The statement that a type is copied, as a value of C is."""
    names = [_name(one) for one in parameters.named_children] if parameters is not None else []
    if not all(names):
        return ""
    of = f"<{', '.join(names)}>" if names else ""
    needs = f"<{', '.join(f'{one}: Copy' for one in names)}>" if names else ""
    return f"impl{needs} Copy for {name}{of} {{}}"
