#!/usr/bin/env python3
"""Compares the public API with that of the last release, and looks for symbols without a doc comment.

    api.py [--release] DIRECTORY ...

Each directory is named after a library and has its symbol graphs. `--release` writes the API to api.txt as that of a release, a line for each
symbol: library, name and declaration.

Exits with 1 if a symbol has no doc comment, if `import TrackerConfig` shows more than 75 types, if NamesTests.swift of the integrations lacks one
of them, or if the changelog does not name a change. It names one if the part "Unreleased" of CHANGELOG.md has, in a code span, the symbol's name without its parameters; for an
initializer, and for the members of a type that is itself new or gone, the name of the type. Of a symbol that is in another library now, the
library's name is enough.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASED = ROOT / "Documentation/api.txt"
NAMES = ROOT / "Integrations/Tests/TrackerHummingbirdTests/NamesTests.swift"
EXPORTS = ROOT / "Sources/TrackerConfig/Exports.swift"
# What `import TrackerConfig` may show, nested types included.
MOST_TYPES = 75
TYPES = {"swift.class", "swift.enum", "swift.protocol", "swift.struct", "swift.typealias"}
# Requirements of protocols of the standard library: their documentation is that of the protocol.
WITNESSES = {
    "!=(_:_:)", "<(_:_:)", "==(_:_:)", "allCases", "codingPath", "debugDescription", "description", "encode(to:)",
    "hash(into:)", "hashValue", "id", "init(arrayLiteral:)", "init(booleanLiteral:)", "init(dictionaryLiteral:)",
    "init(floatLiteral:)", "init(from:)", "init(integerLiteral:)", "init(nilLiteral:)", "init(rawValue:)", "init(stringLiteral:)",
    "makeAsyncIterator()", "next()", "next(isolation:)", "rawValue",
}
SETTABLE = " { get set }"
TYPE = re.compile(r"  .*\b(class|enum|protocol|struct|typealias) ")


def alike(line: str) -> str:
    """The line of a symbol. A computed property is to users what a stored one is, a constant what a variable is that only the SDK sets."""
    return re.sub(r"(  (?:static )?)let (.*)", r"\1var \2 { get }", line).removesuffix(SETTABLE)


def symbols(directory: pathlib.Path) -> tuple[dict[str, bool], list[str]]:
    """The lines of a library's public symbols, and whether each is a type; and those without a doc comment."""
    lines, undocumented = {}, []
    for path in sorted(directory.rglob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            kind, name = symbol["kind"]["identifier"], symbol["pathComponents"][-1]
            # What the compiler makes has no place in a file. An extension is its members.
            if "location" not in symbol or kind == "swift.extension" or name in WITNESSES:
                continue
            declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
            declaration = re.sub(r"\s+", " ", declaration).strip()
            lines[alike(f"{directory.name}  {'.'.join(symbol['pathComponents'])}  {declaration}")] = kind in TYPES
            if not symbol.get("docComment", {}).get("lines"):
                place = symbol["location"]["uri"].removeprefix(f"file://{ROOT}/")
                undocumented.append(f"{place}:{symbol['location']['position']['line'] + 1}: {name} has no doc comment")
    return lines, undocumented


def names(symbol: str, types: set[str]) -> set[str]:
    """The names of which a change needs one in the changelog."""
    parts = symbol.split("  ")[0].split("(")[0].split(".")
    # Of the types around it those that are new or gone themselves.
    around = {parts[end - 1] for end in range(1, len(parts)) if ".".join(parts[:end]) in types}
    return around | {parts[-2] if parts[-1] == "init" else parts[-1]}


def unnamed(now: set[str], released: set[str]) -> tuple[int, list[str]]:
    """The number of changes, and those that the changelog does not name."""
    new, gone = (
        {symbol: library for library, symbol in (line.split("  ", 1) for line in lines)} for lines in (now - released, released - now))
    # Whatever is both is in another library now, whose name is enough.
    wanted = {symbol: {library} for symbol, library in new.items() if symbol in gone}
    types = {symbol.split("  ")[0] for symbol in new.keys() ^ gone.keys() if TYPE.search(symbol)}
    for symbol in new.keys() ^ gone.keys():
        wanted[symbol] = names(symbol, types)
    unreleased = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1]
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", unreleased))))
    return len(wanted), sorted(f"{'new' if symbol in new else 'gone'}: {symbol}" for symbol in wanted if not wanted[symbol] & named)


def shown(lines: dict[str, bool], directories: list[pathlib.Path]) -> set[str]:
    """The types that a file sees which imports TrackerConfig only: its own, and those that it exports by name."""
    names = set(re.findall(r"import \w+ \w+\.(\w+)$", EXPORTS.read_text(), re.MULTILINE))
    names |= {line.split("  ")[1] for path in directories for line, is_type in symbols(path / "TrackerConfig")[0].items() if is_type}
    types = {line.split("  ")[1] for line, is_type in lines.items() if is_type}
    return {name for name in types if name.split(".")[0] in names}


def main() -> int:
    words = sys.argv[1:]
    releases = words[:1] == ["--release"]
    libraries = {path.name: symbols(path) for path in map(pathlib.Path, words[releases:])}
    now = {line for lines, _ in libraries.values() for line in lines}
    if not now:
        sys.exit(__doc__)
    if releases:
        RELEASED.write_text("".join(line + "\n" for line in sorted(now)))
        return 0
    count, faults = unnamed(now, {alike(line) for line in RELEASED.read_text().splitlines()})
    # What this test names has no namesake in the packages beside it.
    tested = set(re.findall(r"\w+", NAMES.read_text()))
    types = shown(libraries.get("TrackerConfig", ({}, []))[0], [pathlib.Path(word) for word in words if word.endswith("/TrackerConfig")])
    faults += [f"{NAMES.name} does not name {name}" for name in sorted(types - tested) if "." not in name]
    if len(types) > MOST_TYPES:
        faults.append(f"import TrackerConfig shows {len(types)} types, and {MOST_TYPES} are the most")
    undocumented = sorted({line for _, lines in libraries.values() for line in lines})
    print(*faults, *undocumented, sep="\n", end="\n" if faults or undocumented else "")
    for name, (own, _) in libraries.items():
        print(f"{name}: {sum(own.values())} public types, {len(own)} public symbols")
    print(f"import TrackerConfig shows {len(types)} types")
    print(f"{len(undocumented)} symbols without a doc comment; {count} changes since the last release, {len(faults)} of which CHANGELOG.md does not name")
    return 1 if faults or undocumented else 0


if __name__ == "__main__":
    sys.exit(main())
