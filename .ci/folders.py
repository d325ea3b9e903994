#!/usr/bin/env python3
"""Checks that the folders of each target form no cycles.

A folder depends on another if one of its files names a type that the other declares. Comments and the text of
strings do not count, nor does a name that the file itself declares within a type. Prints each cycle with the files that cause it, and exits with 1 if there is one.

    folders.py [--graph] [TARGET ...]    --graph prints the dependencies of all folders
"""

import collections
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
MODIFIERS = r"(?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated|@\w+(?:\([^)]*\))?)\s+)*"
DECLARATION = re.compile(rf"^{MODIFIERS}(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)", re.M)
NESTED = re.compile(rf"^ +{MODIFIERS}(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)", re.M)
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
    files = {path: code(path.read_text()) for path in sorted(target.rglob("*.swift"))}

    def folder(path: pathlib.Path) -> str:
        return path.relative_to(target).parts[0] if path.parent != target else "."

    owners = {}
    for path, text in files.items():
        for name in DECLARATION.findall(text):
            owners.setdefault(name, folder(path))
    graph: dict[str, dict[str, list[str]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, text in files.items():
        own = set(NESTED.findall(text))
        for name in sorted(set(WORD.findall(text)) - own):
            if name in owners and owners[name] != folder(path):
                graph[folder(path)][owners[name]].append(f"{path.relative_to(target)}: {name}")
    return graph


def cycles(graph) -> list[list[str]]:
    """The strongly connected components of more than one folder."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, {}):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while True:
                component.append(stack.pop())
                if component[-1] == node:
                    break
            if len(component) > 1:
                found.append(sorted(component))

    for node in list(graph):
        if node not in index:
            visit(node)
    return found


def main() -> int:
    words = sys.argv[1:]
    wants_graph = "--graph" in words
    targets = [SOURCES / word for word in words if word != "--graph"]
    status = 0
    groups = [SOURCES, SOURCES / "System", SOURCES / "Tools"]
    for target in targets or sorted({path for group in groups for path in group.iterdir() if path.is_dir()} - set(groups)):
        graph = dependencies(target)
        if wants_graph:
            for folder in sorted(graph):
                print(f"{target.name}/{folder} -> " + ", ".join(f"{o} {len(n)}" for o, n in sorted(graph[folder].items())))
        for component in cycles(graph):
            status = 1
            print(f"{target.name}: the folders {', '.join(component)} depend on each other:")
            for folder in component:
                for other in component:
                    for name in graph.get(folder, {}).get(other, []):
                        print(f"  {folder} -> {other}: {name}")
    if status == 0:
        print("no folders of a target depend on each other in a cycle")
    return status


if __name__ == "__main__":
    sys.exit(main())
