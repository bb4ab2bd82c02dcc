"""Rows in which each two levels of any two factors meet: a covering array, made greedily."""

import itertools
import random
import typing

# Rows that are tried for each that is taken.
CANDIDATES = 12

Row = dict[str, str]
Pair = tuple[tuple[str, str], tuple[str, str]]


def pairs_of(row: Row) -> set[Pair]:
    """In the order of names, so that a pair is the same whichever row has it."""
    return set(itertools.combinations(sorted(row.items()), 2))


def cover(factors: dict[str, list[str]], is_possible: typing.Callable[[Row], bool], seed: int) -> list[Row]:
    """Rows with every pair that is possible, the same for the same seed.

    - Parameter is_possible: Whether levels can meet, of a row that may be incomplete.
    """
    chance = random.Random(seed)
    levels = {name: [(name, level) for level in factors[name]] for name in sorted(factors)}
    missing = {
        pair
        for one, other in itertools.combinations(levels.values(), 2)
        for pair in itertools.product(one, other)
        if is_possible(dict(pair))
    }
    rows = []
    while missing:
        # Begun with a pair that is missing, so that each row has at least one.
        wanted = chance.choice(sorted(missing))
        tries = [_complete(dict(wanted), factors, is_possible, missing, chance) for _ in range(CANDIDATES)]
        found = [row for row in tries if row]
        if not found:
            # Its levels can meet, but not beside any of the others.
            missing.discard(wanted)
            continue
        rows.append(max(found, key=lambda row: len(missing & pairs_of(row))))
        missing -= pairs_of(rows[-1])
    return rows


def _complete(row: Row, factors, is_possible, missing: set[Pair], chance: random.Random) -> Row | None:
    """With a level of each further factor, the one that brings most of what is missing."""
    rest = [name for name in sorted(factors) if name not in row]
    chance.shuffle(rest)
    for name in rest:
        levels = [level for level in factors[name] if is_possible(row | {name: level})]
        if not levels:
            return None
        chance.shuffle(levels)

        def gain(level: str, name: str = name) -> int:
            return sum(tuple(sorted([(name, level), known])) in missing for known in row.items())

        row = row | {name: max(levels, key=gain)}
    return row
