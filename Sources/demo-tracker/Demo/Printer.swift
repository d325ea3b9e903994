import TrackerCommandLine

/// Prints the demonstration in lines that fit into the terminal.
struct Printer: Sendable {
    /// Colours and weights.
    let style: TextStyle

    /// The maximum number of characters in a line: the terminal's width, 40 to 100; 80 if it is not known.
    var width = min(max(TextLayout.terminalColumns ?? 80, 40), 100)

    /// Prints a line.
    var write: @Sendable (String) -> Void = { StandardStream.output.write(line: $0) }

    /// Prints a paragraph, which is given as one line.
    func paragraph(_ text: String, indent: String = "") { put(text, after: indent, columns: indent.count) }

    /// Prints a chapter's title and a paragraph.
    func chapter(_ title: String, _ words: String) {
        headline(title)
        paragraph(words, indent: "   ")
    }

    /// Prints an empty line, then a headline.
    func headline(_ text: String) {
        write("\n" + style.paint(text, .bold))
    }

    /// Prints an empty line, then one line for each fact.
    func show(_ facts: [String]) {
        write("")
        for fact in facts { put(fact, after: "     ", columns: 5, hanging: 2) }
    }

    /// Prints an empty line, then rows in columns, two spaces apart.
    func show(rows: [[String]]) {
        write("")
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row.dropLast(), widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }
            let head = "     " + cells.joined()
            put(row[row.count - 1], after: head, columns: head.count)
        }
    }

    /// Prints the result of a chapter.
    func result(_ text: String) {
        write("")
        put(text, after: "   \(style.paint("Result:", .green)) ", columns: 11)
    }

    /// Prints a text after a head with that many columns, wrapped below the text's first line.
    private func put(_ text: String, after head: String, columns: Int, hanging: Int = 0) {
        let lines = TextLayout.wrap(text, width: max(8, width - columns - hanging))
        for (number, line) in lines.enumerated() {
            write((number == 0 ? head : String(repeating: " ", count: columns + hanging)) + line)
        }
    }
}
