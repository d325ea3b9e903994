#!/usr/bin/env python3
"""Checks that the folders of each target form no cycles.

A folder depends on another if one of its files names a type that the other declares. Comments and the text of strings do not count, nor does a
name that the file itself declares within a type. Prints each cycle with the files that cause it, and exits with 1 if there is one.
"""
import collections
import graphlib
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
MODIFIERS = r"(?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated|@\w+(?:\([^)]*\))?)\s+)*"
DECLARATION = re.compile(rf"^( *){MODIFIERS}(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)", re.M)
WORD = re.compile(r"\b[A-Z]\w*\b")


def code(text: str) -> str:
    """The text without comments and without the literal parts of strings."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'(#*)"""\n.*?"""\1', '""', text, flags=re.S)
    # An interpolation may name a type: its content stays.
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', lambda match: " ".join(re.findall(r"\\\(([^\n]*?)\)", match[0])), text)


def dependencies(target: pathlib.Path) -> dict[str, dict[str, list[str]]]:
    """For each folder the folders that it names types of, with the files and types."""
    files = {path.relative_to(target): code(path.read_text()) for path in sorted(target.rglob("*.swift"))}
    owners = {
        name: path.parts[0] if path.parts[1:] else "."
        for path, text in reversed(files.items()) for indent, name in DECLARATION.findall(text) if not indent}
    graph: dict[str, dict[str, list[str]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, text in files.items():
        folder = path.parts[0] if path.parts[1:] else "."
        own = {name for indent, name in DECLARATION.findall(text) if indent}
        for name in sorted(set(WORD.findall(text)) - own):
            if owners.get(name, folder) != folder:
                graph[folder][owners[name]].append(f"{path}: {name}")
    return graph


def main() -> int:
    status = 0
    groups = [SOURCES, SOURCES / "System", SOURCES / "Tools"]
    for target in sorted({path for group in groups for path in group.iterdir() if path.is_dir()} - set(groups)):
        graph = dependencies(target)
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            status = 1
            # From the last to the first: each folder is named by the one before it.
            cycle = error.args[1][::-1]
            print(f"{target.name}: the folders depend on each other: {' → '.join(cycle)}")
            for folder, other in zip(cycle, cycle[1:]):
                print(*(f"  {folder} → {other}: {name}" for name in graph[folder][other]), sep="\n")
    print("the folders of the targets form " + ("cycles" if status else "no cycles"))
    return status


if __name__ == "__main__":
    sys.exit(main())
