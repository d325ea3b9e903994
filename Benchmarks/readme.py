"""What the scripts share: building programs, and the tables of README.md, which say what they run and keep the results."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PATH = HERE / "README.md"
PROGRAMS = HERE / ".build" / "release"


def build(*programs, options=()):
    """Builds programs of this package."""
    for program in programs:
        command = ["swift", "build", "-c", "release", "--package-path", HERE, "--product", program, *options]
        subprocess.run(command, check=True, stdout=sys.stderr)


class Readme:
    """The lines of README.md."""

    def __init__(self):
        self.lines = PATH.read_text().split("\n")

    def rows(self, head):
        """Returns the tables with a head by the heading above them, each as the numbers of its lines."""
        found = {}
        heading = None
        for number, line in enumerate(self.lines):
            if line.startswith("#"):
                heading = line.lstrip("# ").lower()
            elif line.startswith("|") and self.cells(number) == head:
                end = next(end for end in range(number, len(self.lines)) if not self.lines[end].startswith("|"))
                found[heading] = range(number + 2, end)
        if not found:
            raise SystemExit(f"{PATH} has no table with the head {' | '.join(head)}")
        return found

    def cells(self, number):
        """Returns the cells of a line; of one that is code, the code."""
        cells = [cell.strip() for cell in self.lines[number].strip("|").split("|")]
        return [cell.strip("`") if cell.count("`") == 2 and cell[0] == cell[-1] == "`" else cell for cell in cells]

    def set_cell(self, number, column, text):
        cells = self.lines[number].split("|")
        cells[column + 1] = f" {text} "
        self.lines[number] = "|".join(cells)

    def save(self):
        PATH.write_text("\n".join(self.lines))
