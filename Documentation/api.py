#!/usr/bin/env python3
"""Compares the public API with that of the last release; exits with 1 if the changelog does not name a change.

    api.py [--list | --release] DIRECTORY ...

Each directory is named after a library and has its symbol graphs. `--list` prints the API, a line for each symbol: library, name and
declaration. `--release` writes it to api.txt as that of a release.

A change is named if the part "Unreleased" of CHANGELOG.md has, in a code span, the symbol's name without its parameters; for an
initializer, and for the members of a type that is itself new or gone, the name of the type. Of a symbol that is in another library
now, the library's name is enough.
"""

import json
import pathlib
import re
import sys

from undocumented import WITNESSES

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASED = ROOT / "Documentation/api.txt"
TYPES = {"swift.class", "swift.enum", "swift.protocol", "swift.struct", "swift.typealias"}
SETTABLE = " { get set }"
TYPE = re.compile(r"  .*\b(class|enum|protocol|struct|typealias) ")


def symbols(directory: pathlib.Path) -> dict[str, bool]:
    """The lines of a library's public symbols, and whether each is a type."""
    lines = {}
    for path in sorted(directory.glob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            kind, name = symbol["kind"]["identifier"], symbol["pathComponents"][-1]
            # What the compiler makes has no place in a file. An extension is its members.
            if "location" not in symbol or kind == "swift.extension" or name in WITNESSES:
                continue
            declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
            # A computed property that can be set is to users what a stored one is.
            declaration = re.sub(r"\s+", " ", declaration).strip().removesuffix(SETTABLE)
            lines[f"{directory.name}  {'.'.join(symbol['pathComponents'])}  {declaration}"] = kind in TYPES
    return lines


def split(line: str) -> tuple[str, str]:
    """The library of a line, and the symbol's name with its declaration."""
    library, symbol = line.split("  ", 1)
    return library, symbol


def names(symbol: str, types: set[str]) -> set[str]:
    """The names of which a change needs one in the changelog."""
    parts = symbol.split("  ")[0].split("(")[0].split(".")
    # Of the types around it those that are new or gone themselves.
    around = {parts[end - 1] for end in range(1, len(parts)) if ".".join(parts[:end]) in types}
    return around | {parts[-2] if parts[-1] == "init" else parts[-1]}


def unnamed(now: dict[str, bool], released: set[str]) -> tuple[int, list[str]]:
    """The number of changes, and those that the changelog does not name."""
    new, gone = (dict(map(reversed, map(split, lines))) for lines in (now.keys() - released, released - now.keys()))
    # Whatever is both is in another library now, whose name is enough.
    wanted = {symbol: {library} for symbol, library in new.items() if symbol in gone}
    types = {symbol.split("  ")[0] for symbol in new.keys() ^ gone.keys() if TYPE.search(symbol)}
    for symbol in new.keys() ^ gone.keys():
        wanted[symbol] = names(symbol, types)
    unreleased = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1]
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", unreleased))))
    return len(wanted), sorted(f"{'new' if symbol in new else 'gone'}: {symbol}" for symbol in wanted if not wanted[symbol] & named)


def main() -> int:
    words = sys.argv[1:]
    option = words.pop(0) if words and words[0].startswith("--") else None
    if not words or option not in (None, "--list", "--release"):
        print(__doc__, file=sys.stderr)
        return 64
    libraries = {path.name: symbols(path) for path in map(pathlib.Path, words)}
    now = {line: is_type for own in libraries.values() for line, is_type in own.items()}
    text = "".join(line + "\n" for line in sorted(now))
    if option == "--list":
        print(text, end="")
        return 0
    if option == "--release":
        RELEASED.write_text(text)
        return 0
    count, lines = unnamed(now, {line.removesuffix(SETTABLE) for line in RELEASED.read_text().splitlines()})
    for line in lines:
        print(line)
    for name, own in libraries.items():
        print(f"{name}: {sum(own.values())} public types, {len(own)} public symbols")
    print(f"{count} changes since the last release, {len(lines)} of which CHANGELOG.md does not name")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
