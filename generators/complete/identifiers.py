"""Words that tell the states of a machine apart: a characterization set, and of it harmonised state identifiers.

A characterization set has for every two states a word that they answer differently (Chow, "Testing Software Design Modeled
by Finite-State Machines", 1978). The identifier of a state keeps of these words what tells it from the others, and two states
have the word that separates them in common (Luo, Petrenko and von Bochmann, "Selecting Test Sequences for Partially-Specified
Nondeterministic Finite State Machines", 1994).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from abiprobe.generators.complete.machine import Machine, Word

Group = tuple[int, ...]
"""States that are not told apart yet."""


class InseparableError(Exception):
    """Two states answer every word alike, so the machine is not minimal."""


def characterization_set(machine: Machine) -> tuple[Word, ...]:
    """Return few words that tell apart every two states of a phase; raises `InseparableError`."""
    phases: dict[int, list[int]] = {}
    for state, phase in enumerate(machine.phases):
        phases.setdefault(phase, []).append(state)
    words: list[Word] = []
    groups = [tuple(states) for states in phases.values()]
    while groups := divided(machine, groups, words[-1] if words else ()):
        words.append(separating_word(machine, groups))
    return tuple(words)


def divided(machine: Machine, groups: Iterable[Group], word: Word) -> list[Group]:
    """Divide groups by what their states answer to a word; what is alone is left out."""
    found = []
    for group in groups:
        parts: dict[object, list[int]] = {}
        for state in group:
            parts.setdefault(machine.outputs(state, word), []).append(state)
        found += [tuple(part) for part in parts.values() if len(part) > 1]
    return found


def separating_word(machine: Machine, groups: Sequence[Group]) -> Word:
    """Return a word that divides groups as far as one word does when each letter divides most."""
    word: Word = ()
    left = groups
    while left:
        more = best_letter(machine, left, word) or shortest_extension(machine, left, word)
        if not more:
            break
        word += more
        left = divided(machine, left, word)
    return word


def best_letter(machine: Machine, groups: Sequence[Group], word: Word) -> Word:
    """Return the letter behind a word after which most parts are told apart; common letters first, empty if there is none."""
    best: Word = ()
    most = (False, len(groups), 0)
    for letter in machine.telling:
        longer = (*word, letter)
        parts = sum(len({machine.outputs(state, longer) for state in group}) for group in groups)
        order = (letter in machine.common, parts, -letter)
        if parts > len(groups) and order > most:
            best, most = (letter,), order
    return best


def shortest_extension(machine: Machine, groups: Sequence[Group], word: Word) -> Word:
    """Return the shortest word behind another one that tells two states of a group apart; empty if there is none.

    Raises `InseparableError` where no word does, not even one that begins anew.
    """
    ends = [
        (machine.after(one, word), machine.after(other, word))
        for one, other, *_ in groups
        if is_allowed(machine, one, word)
    ]
    found = next((more for one, other in ends if (more := separating(machine, one, other))), ())
    if not found and not word:
        raise InseparableError(f"no word tells states {groups[0][:2]} apart")
    return found


def separating(machine: Machine, one: int, other: int) -> Word:
    """Return a shortest word that two states answer differently; empty if there is none."""
    if one == other:
        return ()
    seen = {(one, other)}
    waiting: list[tuple[int, int, Word]] = [(one, other, ())]
    for first, second, word in waiting:
        for letter in machine.telling:
            left, right = machine.steps[first].get(letter), machine.steps[second].get(letter)
            if left is None or right is None:
                continue
            longer = (*word, letter)
            if left[0] != right[0]:
                return longer
            pair = left[1], right[1]
            if pair[0] != pair[1] and pair not in seen:
                seen.add(pair)
                waiting.append((*pair, longer))
    return ()


def identifiers(machine: Machine, words: Sequence[Word]) -> tuple[tuple[Word, ...], ...]:
    """Return the harmonised identifier of each state: beginnings of the words, for each other state of its phase one that tells it.

    Raises `InseparableError` where two states answer all words alike.
    """
    needed: list[dict[int, int]] = [{} for _ in machine.steps]
    for one, other in combinations(range(len(machine.steps)), 2):
        if machine.phases[one] == machine.phases[other]:
            number, length = first_difference(machine, words, one, other)
            for state in (one, other):
                needed[state][number] = max(length, needed[state].get(number, 0))
    return tuple(tuple(words[number][:length] for number, length in one.items()) for one in needed)


def first_difference(machine: Machine, words: Sequence[Word], one: int, other: int) -> tuple[int, int]:
    """Return the number of the first word that tells two states apart, and how much of it does."""
    for number, word in enumerate(words):
        answers = zip(machine.outputs(one, word), machine.outputs(other, word), strict=False)
        for length, (left, right) in enumerate(answers, 1):
            if left != right:
                return number, length
    raise InseparableError(f"no word tells states {one} and {other} apart")


def is_allowed(machine: Machine, state: int, word: Word) -> bool:
    """Return whether a word is allowed in a state."""
    return len(machine.outputs(state, word)) == len(word)
