#!/usr/bin/env python3
"""Writes the code samples of the documentation into a package that a build checks.

Reads the Swift and JSON blocks of README.md and of the catalogs in Sources/*/*.docc, and writes the package .build/samples, which depends on
the root package by its path. Compile it with

    swift build --package-path .build/samples --scratch-path .build --disable-build-manifest-caching

Errors name the article's file and line. A Swift block becomes

- an executable target of its own, if it has `@main`;
- a package description, if it imports PackageDescription or has only `.package(…)` and `.product(…)`; `--manifests` checks these;
- a library target of its own, if it has what a function's body cannot have, as an extension;
- else a function with the parameters `setup: Setup` and `tracker: Tracker`, its imports before it, in a library target. A block without
  imports gets TrackerConfig and Foundation.

No line of a sample has more than 100 columns, beyond which the site scrolls. Of a terminal, that goes for the commands only.

JSON blocks must be JSON, or members of an object. A document (`$schema` with remote_config), or members of one, is also written to
.build/samples/Documents; `--validate` checks these.

    samples.py [--manifests] [--validate TRACKER-CONFIG]

Exits with 1 if a block is wrong.
"""
import argparse
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / ".build" / "samples"
OWN = sorted(re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text()))
# The members of a document, of which a fragment may consist.
MEMBERS = {"configurationBundle", "configurationVersion", "experiments", "features", "meta", "requires", "rollout", "segments"}
COLUMNS = 100
SCHEMA = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
IMPORT = re.compile(r"(?:@\w+\s+)*import\s+(\w+)")
# What cannot stand in the body of a function.
TOP_LEVEL = re.compile(
    r"(?:@\w+(?:\([^)]*\))?\s+)*(?:extension|precedencegroup|(?:prefix|infix|postfix)\s+operator|public|package|internal|"
    r"fileprivate|private|open|macro)\b|@(?:Test|Suite|globalActor)\b")


@dataclasses.dataclass
class Block:
    """A code block: where its first line is, its language, its lines, and what becomes of it."""
    path: pathlib.Path
    line: int
    language: str
    lines: list[str]
    kind: str = ""
    target: str = ""

    def __post_init__(self):
        self.place = f"{self.path.relative_to(ROOT)}:{self.line}"
        self.name = re.sub(r"\W+", "_", f"{self.path.parent.stem}_{self.path.stem}_{self.line}")

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def blocks(path: pathlib.Path) -> list[Block]:
    """The fenced code blocks of an article."""
    found, fence, indent = [], None, ""
    for number, line in enumerate(path.read_text().split("\n"), 1):
        mark = re.match(r"(\s*)(`{3,}|~{3,})\s*([^`]*)$", line)
        if fence is None:
            if mark:
                indent, fence = mark[1], mark[2]
                found.append(Block(path, number + 1, mark[3].strip(), []))
        elif mark and mark[2].startswith(fence) and not mark[3].strip():
            fence = None
        else:
            found[-1].lines.append(line.removeprefix(indent))
    if fence is not None:
        sys.exit(f"{found[-1].place}: error: the code block has no end")
    return found


def top_level(text: str) -> list[tuple[int, str]]:
    """The lines, with their index, that begin outside all braces, without comments and strings."""
    blanked = re.sub(
        r'(#*)"""[\s\S]*?"""\1|(#*)"(?:[^"\\\n]|\\.)*"\2|//[^\n]*|/\*[\s\S]*?\*/',
        lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    depth, found = 0, []
    for index, line in enumerate(blanked.split("\n")):
        if depth == 0 and line.strip():
            found.append((index, line.strip()))
        depth += sum(line.count(c) for c in "{([") - sum(line.count(c) for c in "})]")
    return found


def imports(block: Block) -> dict[int, str]:
    """The modules that a block imports, by the index of the line."""
    return {index: m[1] for index, line in top_level(block.text) if (m := IMPORT.match(line))}


def wrapped(block: Block) -> str:
    """A file with the block as a function, its imports before it."""
    found = imports(block)
    path = block.path.relative_to(ROOT)
    # A directive without arguments ends one with them, and needs it.
    head = "".join(
        f'#sourceLocation(file: "{path}", line: {block.line + index})\n{block.lines[index]}\n#sourceLocation()\n' for index in found)
    if not found:
        head = "import Foundation\n"
    if "TrackerConfig" not in found.values():
        head += "import TrackerConfig\n"
    body = "\n".join("" if index in found else line for index, line in enumerate(block.lines))
    return (
        f"{head}\nfunc sample_{block.name}(setup: Setup, tracker: Tracker) async throws {{\n"
        f'#sourceLocation(file: "{path}", line: {block.line})\n{body}\n#sourceLocation()\n}}\n')


def manifest(block: Block) -> str:
    """A package description for a block that has one, or parts of one."""
    if "PackageDescription" in imports(block).values():
        return block.text
    kept = {"package": [], "product": []}
    current = "package"
    for line in block.lines:
        if m := re.match(r"\s*\.(package|product)\(", line):
            current = m[1]
        kept[current].append(line)
    parts = {key: re.sub(r",?\s*$", "", "\n".join(lines)) for key, lines in kept.items()}
    return (
        "// swift-tools-version: 6.3\nimport PackageDescription\n"
        f'let package = Package(name: "sample", dependencies: [\n{parts["package"]}\n], targets: [\n'
        f'.target(name: "Sample", dependencies: [\n{parts["product"]}\n])])\n')


def classify(block: Block) -> None:
    """Sets what becomes of a Swift block."""
    lines = top_level(block.text)
    if "PackageDescription" in imports(block).values() or all(
            re.match(r"\.(package|product)\(", line) or line[0] in ")]},." for _, line in lines):
        block.kind, block.target = "manifest", block.name
    elif any(re.match(r"@main\b", line) for _, line in lines):
        block.kind, block.target = "main", f"Main_{block.name}"
    elif any(TOP_LEVEL.match(line) and not IMPORT.match(line) for _, line in lines):
        block.kind, block.target = "module", f"Module_{block.name}"
    else:
        block.kind, block.target = "function", "Samples"


def package(found: list[Block]) -> dict[pathlib.Path, str]:
    """The files of the generated package."""
    files, targets = {}, {}
    for block in found:
        if block.kind == "manifest":
            files[PACKAGE / "Manifests" / block.name / "Package.swift"] = manifest(block)
            continue
        whole = f'#sourceLocation(file: "{block.path.relative_to(ROOT)}", line: {block.line})\n{block.text}'
        files[PACKAGE / "Sources" / block.target / f"{block.name}.swift"] = wrapped(block) if block.kind == "function" else whole
        targets[block.target] = (
            ("executableTarget", ', swiftSettings: [.unsafeFlags(["-parse-as-library"])]') if block.kind == "main" else ("target", ""))
    products = ", ".join(f'.product(name: "{module}", package: "tracker-config")' for module in OWN)
    lines = "".join(
        f'        .{kind}(name: "{name}", dependencies: own{settings}),\n' for name, (kind, settings) in sorted(targets.items()))
    files[PACKAGE / "Package.swift"] = (
        "// swift-tools-version: 6.3\n// Written by .ci/samples.py.\nimport PackageDescription\n\n"
        f"let own: [Target.Dependency] = [{products}]\n"
        'let package = Package(\n    name: "samples",\n'
        f'    dependencies: [.package(name: "tracker-config", path: "../..")],\n    targets: [\n{lines}    ]\n)\n')
    return files


def parsed(text: str):
    def unique(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError(f"a key of {sorted(dict(pairs))} is a duplicate")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=unique)


def document(block: Block) -> str | None:
    """The document that a JSON block is, or is a part of, with the same lines; nil if it is none."""
    text = block.text
    try:
        value = parsed(text)
    except ValueError:
        # Members of an object, as they stand in it.
        text = "{" + text.rstrip().removesuffix(",") + "\n}\n"
        value = parsed(text)
    if not isinstance(value, dict) or "remote_config" in str(value.get("$schema")):
        return text if isinstance(value, dict) else None
    if not value or not set(value) <= MEMBERS:
        return None
    missing = {"$schema": SCHEMA, "configurationVersion": 1, "configurationBundle": []}
    rest = "".join(f"{json.dumps(k)}: {json.dumps(v)}, " for k, v in missing.items() if k not in value)
    return text.replace("{", "{" + rest, 1)


def validate(command: str, found: dict[pathlib.Path, Block]) -> list[str]:
    """What is wrong with the documents, at the articles' lines."""
    faults = []
    for path, block in found.items():
        result = subprocess.run([command, "validate", str(path)], capture_output=True, text=True, cwd=ROOT)
        for line in (result.stdout + result.stderr).splitlines() if result.returncode else []:
            m = re.match(re.escape(str(path)) + r":(\d+):", line)
            faults.append(f"{block.path.relative_to(ROOT)}:{int(m[1]) + block.line - 1}:{line[m.end():]}" if m else f"{block.place}: {line}")
    return faults


def check_manifests(found: list[Block]) -> list[str]:
    """What is wrong with the package descriptions."""
    faults = []
    for block in found:
        folder = PACKAGE / "Manifests" / block.name
        result = subprocess.run(
            ["swift", "package", "--package-path", str(folder), "--scratch-path", str(folder / ".build"), "dump-package"],
            capture_output=True, text=True)
        shutil.rmtree(folder / ".build", ignore_errors=True)
        if result.returncode != 0:
            faults.append(f"{block.place}: error: not a package description\n{result.stderr}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--manifests", action="store_true")
    parser.add_argument("--validate", metavar="TRACKER-CONFIG")
    arguments = parser.parse_args()
    swift, documents, files, faults = [], {}, {}, []
    for block in [block for path in [ROOT / "README.md", *sorted(ROOT.glob("Sources/*/*.docc/*.md"))] for block in blocks(path)]:
        # A line with only an address cannot be shorter.
        faults += [
            f"{block.path.relative_to(ROOT)}:{block.line + index}: error: {len(line)} columns; at most {COLUMNS} are shown"
            for index, line in enumerate(block.lines) if len(line) > COLUMNS and (block.language or line.startswith("$ "))
            and not re.fullmatch(r'\s*("\$schema": )?"?https?://\S+', line)]
        if block.language == "swift":
            classify(block)
            swift.append(block)
        elif block.language.startswith("swift"):
            faults.append(f"{block.place}: error: '{block.language}' is not known; every Swift sample is compiled")
        elif block.language == "json":
            try:
                text = document(block)
                if text:
                    path = PACKAGE / "Documents" / f"{block.name}.json"
                    documents[path], files[path] = block, text
            except ValueError as error:
                faults.append(f"{block.place}: error: not JSON: {error}")
    shutil.rmtree(PACKAGE, ignore_errors=True)
    for path, text in (files | package(swift)).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if arguments.manifests:
        faults += check_manifests([block for block in swift if block.kind == "manifest"])
    if arguments.validate:
        faults += validate(arguments.validate, documents)
    print(*faults, f"{len(swift)} Swift samples and {len(documents)} documents, {len(faults)} errors", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
