#!/usr/bin/env python3
"""Finds the words and the phrases that the project's glossary retires.

Reads comments and the text of strings in Sources, and all texts in Markdown. Code (in backticks, code blocks, interpolations) does not
count. Prints `file:line: word: use instead` for each finding, and exits with 1 if there is one. Entries of CHANGELOG.md may have the phrases:
they stay as they were published.

    language.py [FILE ...]

A line that ends with `language:ignore` in a comment is left out.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What is retired, as a regular expression without regard to case, and what to use instead.
RETIRED = [
    (r"(?:came|come|comes|coming|took|taken) into use", "is applied"),
    (r"comes? to be \w+ed", "is applied, or the verb alone"),
    (r"(?:version|configuration|document|instance|process|canary|one)s? (?:goes|go|went) back", "is reverted"),
    (r"(?:brings?|brought) \S+ back", "restore, publish again"),
    (r"told(?! apart)", "recorded, reported, notified, passed to"),
    (r"tell(?:s|ing)?(?! (?:\S+ ){0,3}apart\b)", "record, report, notify, show, distinguish"),
    (r"hand(?:s|ed|ing)? on(?= |$)(?! the other)", "pass, forward, copy"),
    (r"(?:bring(?:s|ing)?|brought)", "send, apply, move, provide"),
    (r"nobody(?:'s)?|somebody(?:'s)?|whoever|whomever", "the caller, the service, the operator; no caller"),
    (r"(?:to|of|for|by) who(?= )(?! it is)", "the caller, the client, the operator"),
    (r"who (?:asks|looks|listens|waits|calls|reads)", "the caller, the client, the reader"),
    (r"ha(?:s|ve|d) (?:a|no) say|opinions?", "is a source, takes precedence"),
    (r"wins? over", "takes precedence over"),
    (r"(?:says?|said|saying) (?:nothing|something)", "is unset, is missing, has no value"),
    (r"silent", "unset, missing, empty"),
    (r"bak(?:e|es)(?! ?times?\b)", "bake time"),
    (r"ladder|rungs?", "the order of precedence, last known good"),
    (r"(?:a|the|each|every|its|under|of) watch(?! file)", "canary, watchdog, observation"),
    (r"hallways?|halls?|way out|waiting rooms?", "queue, task, thread"),
    (r"ends (?:a|an|the|all|every|each|its|this|that|what|it)", "stop, shut down, cancel, close"),
    (r"let(?:s|ting)? (?:\S+ )?go", "stop, release, close"),
    # "if" for conditions, "when" for events, "where" for places
    (r"where (?:there (?:is|are|was|were)|it is (?:nil|missing|absent|unset|empty)|nothing|none|neither|possible|necessary)",
     "if"),
]
# Invented phrases and inverted sentences, in the same form.
PHRASES = [
    # A question in the place of a noun.
    (r"(?:(?<=[.;:(|] )|(?<=//\ )|(?<=/// ))who (?!gets what|may )(?=\w)", "the caller, the author of, those who"),
    (r"(?:of|from) what(?! (?:kind|type|sort|size)\b| is known)(?= )", "of the …, of all that"),
    (r"for want of", "without, because there is no"),
    (r"stands? twice|stand beside", "is a duplicate, is next to"),
    (r"again and again", "repeatedly, at each …"),
    (r"(?:is|are|be|was|were) of (?:no |any |little )?use", "is useful, is needed, helps"),
    (r"nothing came from|comes? from nowhere", "cannot fetch …"),
    (r"(?:with|under) which (?:\w+ ){0,3}(?:crash|fail|vanish)(?:es|ed)?", "that crashes …, that breaks …"),
    (r"(?:is|are|was|were) drawn for|draws? (?:a |the )?instances?", "is selected for, belongs to"),
    (r"(?:this|that|which|it|he|she|what) is no (?!longer|such|more|other|one|way|need|limit|rule)(?=\w)", "is not a"),
]


ALL = RETIRED + PHRASES
PATTERN = re.compile("|".join(rf"(?P<w{number}>\b(?:{words})\b)" for number, (words, _) in enumerate(ALL)), re.I)
STRING = re.compile(r'(?P<raw>#*)"(?P<text>(?:[^"\\\n]|\\(?!\()[^\n]|\\\((?:[^()\n]|\([^()\n]*\))*\))*)"(?P=raw)')
INTERPOLATION = re.compile(r"\\\((?:[^()]|\([^()]*\))*\)")
CODE = re.compile(r"``[^`]*``|`[^`\n]*`|<doc:[^>]*>|\]\([^)]*\)|https?://\S+")


def blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", "\x00", match[0])


def markdown(text: str):
    """The lines of an article, without code."""
    text = re.sub(r"^\s*(?:[-*] |\d+\. )?(`{3,}|~{3,})[^\n]*\n.*?^\s*\1", blank, text, flags=re.M | re.S)
    return CODE.sub(blank, text).split("\n")


def script(text: str):
    """The texts of the strings in the lines of the console's page."""
    for line in text.split("\n"):
        texts = (re.sub(r"\$\{[^}]*\}", blank, text) for text in re.findall(r'"[^"]*"|`[^`]*`|>[^<>{}]*<', line))
        yield "\x00".join(text for text in texts if " " in text)


def swift(text: str):
    """The lines of a source file with nothing but comments and strings."""
    inside = False
    for line in text.split("\n"):
        comment = re.match(r"\s*//", line)
        if inside or line.rstrip().endswith('"""') and not comment:
            inside = inside != (line.count('"""') % 2 == 1)
            yield "" if '"""' in line else INTERPOLATION.sub(blank, line)
        elif comment:
            # The names of parameters are code.
            yield CODE.sub(blank, re.sub(r"^\s*///\s+- (?:Parameter )?\w+:", blank, line))
        else:
            # A key or a name is no sentence: only strings with a space.
            texts = (INTERPOLATION.sub(blank, m["text"]) for m in STRING.finditer(line))
            yield "\x00".join(text for text in texts if " " in text)


def main() -> int:
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "Sources", "*.md"],
        capture_output=True, check=True, text=True).stdout.splitlines()
    readers = {".md": markdown, ".js": script, ".html": script, ".swift": swift}
    found = 0
    for path in [pathlib.Path(word).resolve() for word in sys.argv[1:]] or [ROOT / name for name in sorted(set(listed))]:
        if path.suffix not in readers or not path.exists() or path.name.endswith("Generated.swift"):
            continue
        text = path.read_text()
        for number, (line, original) in enumerate(zip(readers[path.suffix](text), text.split("\n")), 1):
            if original.rstrip(" ->").endswith("language:ignore"):
                continue
            for match in PATTERN.finditer(line):
                retired = ALL[int(match.lastgroup[1:])]
                if path.name != "CHANGELOG.md" or retired in RETIRED:
                    found += 1
                    print(f"{path.relative_to(ROOT)}:{number}: {match[0]}: {retired[1]}")
    print(f"{found} retired words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
