import Foundation

/// Breaks text into lines for terminals.
package enum TextLayout {
    /// The width of the column of names.
    private static let nameWidth = 24

    /// The maximum number of characters in a line: the terminal's width, 80 to 100.
    /// - Parameters:
    ///   - environment: The environment, whose `COLUMNS` has precedence; by default that of the process.
    ///   - terminal: The columns of the terminal; nil if there is none. By default those of standard output.
    /// - Returns: The width; 80 if neither is known.
    package static func width(
        environment: [String: String] = ProcessInfo.processInfo.environment, terminal: Int? = terminalColumns
    ) -> Int {
        let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return min(max(columns ?? terminal ?? 80, 80), 100)
    }

    /// The columns of the terminal at standard output; nil if it is not a terminal.
    package static var terminalColumns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Wraps a text at its spaces.
    /// - Parameters:
    ///   - text: The text, on one line.
    ///   - width: The maximum number of characters in a line; a longer word has its own line.
    /// - Returns: The lines.
    package static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Splits a discussion into parts: paragraphs on one line, and verbatim lines.
    static func parts(of discussion: String) -> [Part] {
        var parts: [Part] = []
        var isNew = true
        for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            defer { isNew = line.isEmpty }
            if line.isEmpty { continue }
            switch (parts.last, line.hasPrefix("  ")) {
            case (.verbatim(let lines), true) where !isNew:
                parts[parts.count - 1] = .verbatim(lines + [String(line)])
            case (_, true): parts.append(.verbatim([String(line)]))
            case (.paragraph(let text), false) where !isNew:
                parts[parts.count - 1] = .paragraph("\(text) \(line)")
            case (_, false): parts.append(.paragraph(String(line)))
            }
        }
        return parts
    }

    /// A part of a discussion.
    enum Part: Equatable {
        /// A paragraph, on one line.
        case paragraph(String)
        /// Verbatim lines.
        case verbatim([String])
    }

    /// Returns the lines of two columns: a name and its meaning.
    static func row(_ name: String, _ meaning: String, width: Int) -> [String] {
        let indent = "  "
        let gap = String(repeating: " ", count: nameWidth)
        var lines = wrap(meaning, width: width - indent.count - nameWidth)
        guard name.count < nameWidth else { return [indent + name] + lines.map { indent + gap + $0 } }
        let first = lines.isEmpty ? "" : lines.removeFirst()
        return ["\(indent)\(name)\(gap.dropFirst(name.count))\(first)"] + lines.map { indent + gap + $0 }
    }
}
