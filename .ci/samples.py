#!/usr/bin/env python3
"""Writes the code samples of the documentation into a package that a build checks.

Reads the Swift and JSON blocks of README.md and of the catalogs in Sources/*/*.docc, and the files that tutorials show, and writes the
package .build/samples, which depends on the root package by its path. Compile it with

    swift build --package-path .build/samples --scratch-path .build --disable-build-manifest-caching

Errors name the article's file and line. A Swift block becomes

- an executable target of its own, if it has `@main`;
- a package description of its own in .build/samples/Manifests, if it imports PackageDescription or has only `.package(…)` and
  `.product(…)`; `--manifests` checks these;
- a library target of its own, if it has what a function's body cannot have, as an extension;
- else a function with the parameters `setup: Setup` and `tracker: Tracker`, in a file of a library target. Its imports stand
  before the function. A block without imports gets TrackerConfig and Foundation.

No line of a sample has more than 100 columns, beyond which the site scrolls. Of a terminal, that goes for the commands only.

JSON blocks must be JSON, or members of an object. A document (`$schema` with remote_config), or members of one, is also written to
.build/samples/Documents; `--validate` checks these.

A file of a tutorial is in the folder Resources beside it. A Swift file is a whole program with `@main`, which becomes an executable target
of the file's name, or a package description. A JSON file is a whole document. A file that no tutorial shows is an error.

    samples.py [--list] [--manifests] [--validate TRACKER-CONFIG]

`--list` prints each block, its kind and its target, and writes nothing. Exits with 1 if a block is wrong.
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

TOOLCHAIN = {
    "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Observation", "RegexBuilder", "Swift",
    "Synchronization", "Testing", "_Concurrency",
}
# The packages that samples may import beside the root package: module, dependency, package. The versions are those of Examples.
EXTERNAL = {
    "Crypto": ('.package(url: "https://github.com/apple/swift-crypto", from: "3.0.0")', "swift-crypto"),
    "HTTPTypes": ('.package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0")', "swift-http-types"),
    "Hummingbird": ('.package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1")', "hummingbird"),
    "Logging": ('.package(url: "https://github.com/apple/swift-log", exact: "1.16.2")', "swift-log"),
    "ServiceLifecycle": (
        '.package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0")', "swift-service-lifecycle"),
}
# The members of a document, of which a fragment may consist.
MEMBERS = {
    "configurationBundle", "configurationVersion", "experiments", "features", "meta", "requires", "rollout", "segments",
}
# As many columns as the site shows on a wide screen.
COLUMNS = 100
SCHEMA = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
IMPORT = re.compile(r"(?:@\w+\s+)*(?:(?:public|internal|package|private|fileprivate)\s+)?import\s+"
                    r"(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)")
# What cannot stand in the body of a function.
TOP_LEVEL = re.compile(
    r"(?:@\w+(?:\([^)]*\))?\s+)*(?:extension|precedencegroup|(?:prefix|infix|postfix)\s+operator|public|package|internal|"
    r"fileprivate|private|open|macro)\b|@(?:Test|Suite|globalActor|freestanding|attached)\b")


@dataclasses.dataclass
class Block:
    """A code block: where its first line is, its language, its lines, and what becomes of it."""

    path: pathlib.Path
    line: int
    language: str
    lines: list[str]
    kind: str = ""
    target: str = ""
    # Whether it is a file of a tutorial, and so no part of another text.
    is_file: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"

    @property
    def name(self) -> str:
        if self.is_file:
            return re.sub(r"\W+", "_", self.path.stem)
        stem = self.path.stem if self.path.parent == ROOT else f"{self.path.parent.stem}_{self.path.stem}"
        return re.sub(r"\W+", "_", f"{stem}_{self.line}")


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
        raise SystemExit(f"{found[-1].place}: error: the code block has no end")
    return found


def tutorial_files(path: pathlib.Path) -> tuple[list[pathlib.Path], list[str]]:
    """The files that a tutorial shows, each once and in its order, and what is wrong with its `@Code` directives."""
    found, faults = [], []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if "@Code" not in line:
            continue
        name = re.search(r'\bfile:\s*"([^"/]+)"', line)
        file = path.parent / "Resources" / name[1] if name else None
        if file is None or not file.is_file():
            faults.append(f"{path.relative_to(ROOT)}:{number}: error: " + (
                f"Resources has no file '{name[1]}'" if name else "'@Code' has no 'file: \"…\"' on its line"))
        elif file not in found:
            found.append(file)
    return found, faults


def shown_files() -> tuple[list[Block], list[str]]:
    """The Swift and JSON files of all tutorials as blocks, and what is wrong."""
    found, faults, folders = [], [], set()
    for path in sorted(ROOT.glob("Sources/*/*.docc/**/*.tutorial")):
        files, wrong = tutorial_files(path)
        found += [file for file in files if file not in found]
        faults += wrong
        folders.add(path.parent / "Resources")
    for path in sorted(path for folder in folders for path in folder.glob("*")):
        if path not in found and path.suffix in (".swift", ".json", ".txt"):
            faults.append(f"{path.relative_to(ROOT)}:1: error: no tutorial shows this file")
    languages = {".swift": "swift", ".json": "json"}
    return [
        Block(path, 1, languages[path.suffix], path.read_text().removesuffix("\n").split("\n"), is_file=True)
        for path in found if path.suffix in languages
    ], faults


def wide(block: Block) -> list[str]:
    """What is wrong with the lines of a block that are too long; a line with only an address cannot be shorter."""
    faults = []
    for index, line in enumerate(block.lines):
        is_sample = block.language or line.startswith("$ ")
        if len(line) > COLUMNS and is_sample and not re.fullmatch(r'\s*("\$schema": )?"?https?://\S+', line):
            place = f"{block.path.relative_to(ROOT)}:{block.line + index}"
            faults.append(f"{place}: error: {len(line)} columns; at most {COLUMNS} are shown without scrolling")
    return faults


def blanked(text: str) -> str:
    """The Swift text with spaces for comments and strings, except for line breaks."""
    def spaces(match: re.Match) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    return re.sub(
        r'(#*)"""[\s\S]*?"""\1|(#*)"(?:[^"\\\n]|\\.)*"\2|//[^\n]*|/\*[\s\S]*?\*/', spaces, text)


def top_level(text: str) -> list[tuple[int, str]]:
    """The lines, with their index, that begin outside all braces, without comments and strings."""
    depth, found = 0, []
    for index, line in enumerate(blanked(text).split("\n")):
        if depth == 0 and line.strip():
            found.append((index, line.strip()))
        depth += sum(line.count(c) for c in "{([") - sum(line.count(c) for c in "})]")
    return found


def imports(block: Block) -> dict[int, str]:
    """The modules that a block imports, by the index of the line."""
    return {index: m[1] for index, line in top_level(block.text) if (m := IMPORT.match(line))}


def own_modules() -> set[str]:
    """The library products of the root package."""
    manifest = (ROOT / "Package.swift").read_text()
    return set(re.findall(r'\.library\(name: "(\w+)"', manifest))


def location(block: Block, index: int = 0) -> str:
    return f'#sourceLocation(file: "{block.path.relative_to(ROOT)}", line: {block.line + index})'


def whole(block: Block) -> str:
    """A file that is the block alone."""
    return f"{location(block)}\n{block.text}"


def wrapped(block: Block) -> str:
    """A file with the block as a function, its imports before it."""
    found = imports(block)
    # A directive without arguments ends one with them, and needs it.
    head = "".join(f"{location(block, index)}\n{block.lines[index]}\n#sourceLocation()\n" for index in found)
    if not found:
        head = "import Foundation\n"
    if "TrackerConfig" not in found.values():
        head += "import TrackerConfig\n"
    body = "\n".join("" if index in found else line for index, line in enumerate(block.lines))
    return (
        f"{head}\nfunc sample_{block.name}(setup: Setup, tracker: Tracker) async throws {{\n"
        f"{location(block)}\n{body}\n#sourceLocation()\n}}\n")


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
    parts = {key: re.sub(r",?\s*$", "", re.sub(r"(?m)(?:^|\s)//[^\n]*", "", "\n".join(lines))) for key, lines in kept.items()}
    return (
        "// swift-tools-version: 6.3\nimport PackageDescription\n"
        f'let package = Package(name: "sample", dependencies: [\n{parts["package"]}\n], targets: [\n'
        f'.target(name: "Sample", dependencies: [\n{parts["product"]}\n])])\n')


def classify(block: Block, own: set[str]) -> str | None:
    """Sets what becomes of a Swift block; returns what is wrong with it."""
    lines = top_level(block.text)
    modules = set(imports(block).values())
    if "PackageDescription" in modules or not block.is_file and lines and all(
            re.match(r"\.(package|product)\(", line) or line[0] in ")]},." for _, line in lines):
        block.kind, block.target = "manifest", block.name
        return None
    if unknown := sorted(modules - own - TOOLCHAIN - set(EXTERNAL)):
        return f"the module '{unknown[0]}' is none of the package's products; add its package to EXTERNAL of .ci/samples.py"
    if any(re.match(r"@main\b", line) for _, line in lines):
        block.kind, block.target = "executable", f"Main_{block.name}"
    elif block.is_file:
        return "a Swift file of a tutorial is a whole program with @main, or a package description"
    elif any(TOP_LEVEL.match(line) and not IMPORT.match(line) for _, line in lines):
        block.kind, block.target = "module", f"Module_{block.name}"
    else:
        # Blocks that import the same packages share a target, because each target takes its time.
        outside = sorted(modules & set(EXTERNAL))
        block.kind, block.target = "function", "_".join(["Samples", *outside])
    return None


def package(found: list[Block], own: set[str]) -> dict[pathlib.Path, str]:
    """The files of the generated package."""
    files, targets = {}, {}
    for block in found:
        if block.kind == "manifest":
            files[PACKAGE / "Manifests" / block.name / "Package.swift"] = manifest(block)
            continue
        text = wrapped(block) if block.kind == "function" else whole(block)
        files[PACKAGE / "Sources" / block.target / f"{block.name}.swift"] = text
        kind, modules = targets.get(block.target, (block.kind, set()))
        targets[block.target] = (kind, modules | set(imports(block).values()) & set(EXTERNAL))
    if not targets:
        # A package without a target cannot be built.
        targets["Samples"] = ("function", set())
        files[PACKAGE / "Sources" / "Samples" / "Empty.swift"] = "\n"
    outside = sorted({module for _, modules in targets.values() for module in modules})
    lines = ["// swift-tools-version: 6.3", "", "// Written by .ci/samples.py.", "import PackageDescription", ""]
    lines += ["let package = Package(", '    name: "samples",', "    dependencies: ["]
    lines += ['        .package(name: "tracker-config", path: "../.."),']
    lines += [f"        {EXTERNAL[module][0]}," for module in outside]
    lines += ["    ],", "    targets: ["]
    for name, (kind, modules) in sorted(targets.items()):
        products = [f'.product(name: "{module}", package: "tracker-config")' for module in sorted(own)]
        products += [f'.product(name: "{module}", package: "{EXTERNAL[module][1]}")' for module in sorted(modules)]
        main = kind == "executable"
        settings = ', swiftSettings: [.unsafeFlags(["-parse-as-library"])]' if main else ""
        lines += [f'        .{"executableTarget" if main else "target"}(name: "{name}", dependencies: [']
        lines += [f"            {product}," for product in products]
        lines += [f"        ]{settings}),"]
    lines += ["    ]", ")", ""]
    files[PACKAGE / "Package.swift"] = "\n".join(lines)
    return files


def parsed(text: str):
    def unique(pairs):
        keys = [key for key, _ in pairs]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise ValueError(f"duplicate key '{twice[0]}'")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=unique)


def document(block: Block) -> tuple[str | None, str | None]:
    """The document that a JSON block is, or is a part of, with the same lines; and what is wrong with the block."""
    text = block.text
    try:
        value = parsed(text)
    except ValueError as error:
        if block.is_file:
            return None, f"not JSON: {error}"
        try:
            # Members of an object, as they stand in it.
            text = "{" + text.rstrip().removesuffix(",") + "\n}\n"
            value = parsed(text)
        except ValueError:
            return None, f"not JSON: {error}"
    if not isinstance(value, dict):
        return None, "a JSON file of a tutorial is a document" if block.is_file else None
    if "remote_config" in str(value.get("$schema", "")):
        return text, None
    if block.is_file:
        return None, "a JSON file of a tutorial is a document with $schema"
    if not value or not set(value) <= MEMBERS:
        return None, None
    missing = {"$schema": SCHEMA, "configurationVersion": 1, "configurationBundle": []}
    rest = "".join(f"{json.dumps(k)}: {json.dumps(v)}, " for k, v in missing.items() if k not in value)
    return text.replace("{", "{" + rest, 1), None


def write(files: dict[pathlib.Path, str]) -> None:
    """Writes what has changed, so that builds compile nothing else, and removes what is left of earlier runs."""
    for folder in ("Sources", "Manifests", "Documents"):
        for path in sorted((PACKAGE / folder).rglob("*"), reverse=True):
            if path.is_file() and path not in files:
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()
    for path, text in files.items():
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def validate(command: str, found: dict[pathlib.Path, Block]) -> int:
    """Validates the documents, and names the articles' lines; returns the number of documents with errors."""
    wrong = 0
    for path, block in found.items():
        result = subprocess.run([command, "validate", str(path)], capture_output=True, text=True, cwd=ROOT)
        if result.returncode == 0:
            continue
        wrong += 1
        article = block.path.relative_to(ROOT)
        for line in (result.stdout + result.stderr).splitlines():
            if m := re.match(re.escape(str(path)) + r":(\d+):", line):
                print(f"{article}:{int(m[1]) + block.line - 1}:{line[m.end():]}")
            elif not line.startswith(str(path)):
                print(f"{block.place}: {line}")
    return wrong


def check_manifests(found: list[Block]) -> int:
    """Reads the package descriptions; returns the number of those that are wrong."""
    wrong = 0
    for block in found:
        folder = PACKAGE / "Manifests" / block.name
        result = subprocess.run(
            ["swift", "package", "--package-path", str(folder), "--scratch-path", str(folder / ".build"), "dump-package"],
            capture_output=True, text=True)
        shutil.rmtree(folder / ".build", ignore_errors=True)
        if result.returncode != 0:
            wrong += 1
            print(f"{block.place}: error: not a package description\n{result.stderr}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true", help="print what was found, and write nothing")
    parser.add_argument("--manifests", action="store_true", help="check package descriptions with 'swift package dump-package'")
    parser.add_argument("--validate", metavar="TRACKER-CONFIG", help="check documents with this executable")
    arguments = parser.parse_args()

    own = own_modules()
    articles = [ROOT / "README.md", *sorted(ROOT.glob("Sources/*/*.docc/**/*.md"))]
    swift, documents, files = [], {}, {}
    shown, faults = shown_files()
    for block in [*(block for path in articles if path.exists() for block in blocks(path)), *shown]:
        faults += wide(block)
        language, *marks = re.split(r"[,\s]+", block.language)
        if language == "swift":
            if marks:
                fault = f"'{marks[0]}' is not known; every Swift sample is compiled"
            elif not block.text.strip():
                fault = "the sample is empty"
            else:
                fault = classify(block, own)
            swift.append(block)
        elif language == "json":
            text, fault = document(block)
            block.kind = "document" if text else "json"
            if text:
                path = PACKAGE / "Documents" / f"{block.name}.json"
                documents[path], files[path], block.target = block, text, path.name
        else:
            continue
        if fault:
            faults.append(f"{block.place}: error: {fault}")
        elif arguments.list:
            print(f"{block.place}: {block.kind} {block.target}".rstrip())
    for fault in faults:
        print(fault)
    if arguments.list:
        return 1 if faults else 0
    good = [block for block in swift if block.kind]
    write(files | package(good, own))
    wrong = len(faults)
    if arguments.manifests:
        wrong += check_manifests([block for block in good if block.kind == "manifest"])
    if arguments.validate:
        wrong += validate(arguments.validate, documents)
    print(f"{len(swift)} Swift samples and {len(documents)} documents in {PACKAGE.relative_to(ROOT)}, {wrong} errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
