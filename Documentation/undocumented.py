#!/usr/bin/env python3
"""Lists the public symbols of symbol graphs that have no doc comment; exits with 1 if there is one.

    undocumented.py SYMBOL-GRAPH-OR-DIRECTORY ...

Symbols that the compiler makes do not count, nor do extensions, whose members count, nor do implementations of requirements of protocols outside the package, as
`hash(into:)`: their documentation is that of the protocol.
"""

import json
import pathlib
import sys

# Requirements of protocols of the standard library, by their names in Swift.
WITNESSES = {
    "!=(_:_:)", "<(_:_:)", "==(_:_:)", "allCases", "codingPath", "debugDescription", "description", "encode(to:)",
    "hash(into:)", "hashValue", "id", "init(arrayLiteral:)", "init(booleanLiteral:)", "init(dictionaryLiteral:)",
    "init(floatLiteral:)", "init(from:)", "init(integerLiteral:)", "init(nilLiteral:)", "init(rawValue:)", "init(stringLiteral:)",
    "makeAsyncIterator()", "next()", "next(isolation:)", "rawValue",
}


def undocumented(graph: dict) -> tuple[int, list[str]]:
    """The number of public symbols that count, and the lines of those without a doc comment."""
    total, lines = 0, []
    for symbol in graph["symbols"]:
        if symbol["accessLevel"] not in ("public", "open") or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
            continue
        location = symbol.get("location")
        # What the compiler makes has no place in a file.
        if location is None or symbol["kind"]["identifier"] == "swift.extension":
            continue
        total += 1
        name = symbol["pathComponents"][-1]
        if not symbol.get("docComment", {}).get("lines") and name not in WITNESSES:
            path = location["uri"].removeprefix("file://")
            path = path[path.find("/Sources/") + 1:]
            lines.append(f"{path}:{location['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])} has no doc comment")
    return total, lines


def main() -> int:
    paths = []
    for word in map(pathlib.Path, sys.argv[1:]):
        paths += sorted(word.glob("*.symbols.json")) if word.is_dir() else [word]
    if not paths:
        print("no symbol graph was found", file=sys.stderr)
        return 66
    total, lines = 0, set()
    for path in paths:
        count, found = undocumented(json.loads(path.read_text()))
        total += count
        lines |= set(found)
    for line in sorted(lines):
        print(line)
    print(f"{total} public symbols, {len(lines)} without a doc comment")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
