import Foundation
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// Prints what happens, in the order in which it happens, in lines that fit the terminal.
struct Timeline: Sendable {
    /// The actor.
    enum Actor: String {
        case document
        case setup
        case service
        case collector
    }

    private static let indent = "   "
    private static let factIndent = "     "
    /// The columns before the text of an entry: the time and the actor.
    private static let entryIndent = String(repeating: " ", count: 23)

    private let start = ContinuousClock.now
    private let style: TextStyle
    private let width: Int
    private let isVerbose: Bool
    private let write: @Sendable (String) -> Void

    /// Begins now.
    /// - Parameters:
    ///   - style: Colours and weights.
    ///   - width: The most characters of a line; by default those of the terminal, 40 to 100, and 80 if it is not known.
    ///   - isVerbose: Whether details are printed.
    ///   - write: Prints a line, or several with line breaks in between.
    init(
        _ style: TextStyle, width: Int = min(max(TextLayout.terminalColumns ?? 80, 40), 100), isVerbose: Bool = false,
        write: @escaping @Sendable (String) -> Void = { StandardStream.output.write(line: $0) }
    ) {
        (self.style, self.width, self.isVerbose, self.write) = (style, width, isVerbose, write)
    }

    /// The time of a line, ten characters wide: since the start in the first ten seconds, then by the clock.
    static func stamp(_ elapsed: Duration, at date: Date, in timeZone: TimeZone = .current) -> String {
        guard elapsed >= .seconds(10) else { return String(format: "%7.1f ms", elapsed / .milliseconds(1)) }
        let time = Calendar(identifier: .gregorian).dateComponents(in: timeZone, from: date)
        return String(format: "  %02d:%02d:%02d", time.hour ?? 0, time.minute ?? 0, time.second ?? 0)
    }

    /// Begins a chapter.
    /// - Parameters:
    ///   - title: The title.
    ///   - words: What it is about: a paragraph on one line; nil for none.
    func chapter(_ title: String, _ words: String? = nil) {
        let title = title.broken(into: width).map { style.paint($0, .bold) }
        write(([""] + title + (words.map { lines($0, Self.indent) } ?? [])).joined(separator: "\n"))
    }

    /// Prints a paragraph without a chapter.
    func paragraph(_ text: String) {
        write(lines(text, "").joined(separator: "\n"))
    }

    /// Prints an empty line, then what was found, a line each.
    func show(_ facts: [String]) {
        write(([""] + facts.flatMap { lines($0, Self.factIndent, more: "  ") }).joined(separator: "\n"))
    }

    /// Prints an empty line, then rows in columns. Only the last column is broken into lines.
    func show(rows: [[String]]) {
        let lines = rows.columns.flatMap { head, last in
            let rest = Self.factIndent + String(repeating: " ", count: head.count)
            let lines = last.broken(into: max(8, width - rest.count))
            return [Self.factIndent + head + lines[0]] + lines.dropFirst().map { rest + $0 }
        }
        write(([""] + lines).joined(separator: "\n"))
    }

    /// Prints the result of a chapter.
    func result(_ text: String) {
        let label = "Result: "
        let lines = text.broken(into: width - Self.indent.count - label.count)
        let painted = style.paint(label.trimmingCharacters(in: .whitespaces), .green) + " " + lines[0]
        let rest = lines.dropFirst().map { Self.indent + String(repeating: " ", count: label.count) + $0 }
        write((["", Self.indent + painted] + rest).joined(separator: "\n"))
    }

    /// Prints parts on as few lines as they need, with dots between.
    func summary(_ parts: [String]) {
        var lines: [String] = []
        for part in parts {
            if let last = lines.last, last.count + 3 + part.count <= width {
                lines[lines.count - 1] = "\(last) · \(part)"
            } else {
                lines += part.broken(into: width)
            }
        }
        write(([""] + lines.map { style.paint($0, .bold) }).joined(separator: "\n"))
    }

    /// Prints one entry; further lines stand below it.
    func tell(_ actor: Actor, _ text: String, _ more: [String] = []) {
        let time = Self.stamp(ContinuousClock.now - start, at: Date())
        let name = actor.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
        let first = "\(style.paint(time, .faint))  \(style.paint(name, colour(actor)))  "
        let all = ([text] + more).flatMap { lines($0, Self.entryIndent, more: "  ") }
        let head = first + all[0].dropFirst(Self.entryIndent.count)
        write(([head] + all.dropFirst()).joined(separator: "\n"))
    }

    /// Prints one entry if details are wanted.
    func detail(_ actor: Actor, _ text: String, _ more: [String] = []) {
        if isVerbose { tell(actor, text, more) }
    }

    /// Prints, if details are wanted, which configuration a setup has applied.
    func detail(_ update: ConfigurationUpdate) {
        let version = update.version.map { "version \($0)" } ?? "no document"
        let namespaces = update.namespaces.isEmpty ? "no namespaces" : update.namespaces.joined(separator: ", ")
        detail(.setup, "applied \(version) (\(update.state.rawValue)): \(namespaces)")
        for warning in update.warnings { detail(.setup, "warning: \(warning)") }
    }

    private func lines(_ text: String, _ indent: String, more: String = "") -> [String] {
        let lines = text.broken(into: width - indent.count)
        guard lines.count > 1, !more.isEmpty else { return lines.map { indent + $0 } }
        let rest = String(text.dropFirst(lines[0].count).drop { $0 == " " })
        return [indent + lines[0]] + rest.broken(into: width - indent.count - more.count).map { indent + more + $0 }
    }

    private func colour(_ actor: Actor) -> TextStyle.Rendition {
        switch actor {
        case .document: .yellow
        case .setup: .cyan
        case .service: .green
        case .collector: .magenta
        }
    }
}
