/// Breaks text into lines for terminals.
enum TextLayout {
    /// The most characters of a line.
    static let width = 100

    /// The width of the column that names stand in.
    static let nameWidth = 24

    /// Breaks a text at its spaces.
    /// - Parameters:
    ///   - text: The text, on one line.
    ///   - width: The most characters of a line; a longer word has a line of its own.
    /// - Returns: The lines.
    static func wrap(_ text: String, width: Int = Self.width) -> [String] {
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

    /// Takes a discussion apart: each part is a paragraph on one line, or lines that stay as they are.
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
        /// Lines that stay as they are.
        case verbatim([String])
    }

    /// Two columns: a name, and what it means.
    static func row(_ name: String, _ meaning: String) -> [String] {
        let indent = "  "
        let gap = String(repeating: " ", count: nameWidth)
        var lines = wrap(meaning, width: width - indent.count - nameWidth)
        guard name.count < nameWidth else { return [indent + name] + lines.map { indent + gap + $0 } }
        let first = lines.isEmpty ? "" : lines.removeFirst()
        return ["\(indent)\(name)\(gap.dropFirst(name.count))\(first)"] + lines.map { indent + gap + $0 }
    }
}
