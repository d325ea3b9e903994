import Foundation
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// Prints what happens, with the time since the start and who does it, in the order in which it happens.
struct Timeline {
    /// The actor.
    enum Actor: String {
        case file
        case setup
        case service
        case collector
    }

    private let start = ContinuousClock.now
    private let style: TextStyle

    /// Begins now.
    init(_ style: TextStyle) {
        self.style = style
    }

    /// The time of a line, ten characters wide: since the start in the first ten seconds, then by the clock.
    static func stamp(_ elapsed: Duration, at date: Date, in timeZone: TimeZone = .current) -> String {
        guard elapsed >= .seconds(10) else { return String(format: "%7.1f ms", elapsed / .milliseconds(1)) }
        let time = Calendar(identifier: .gregorian).dateComponents(in: timeZone, from: date)
        return String(format: "  %02d:%02d:%02d", time.hour ?? 0, time.minute ?? 0, time.second ?? 0)
    }

    /// Begins a chapter.
    func chapter(_ title: String) {
        StandardStream.output.write(line: "\n" + style.paint(title, .bold))
    }

    /// Prints one entry; further lines stand below it.
    func tell(_ actor: Actor, _ text: String, _ more: [String] = []) {
        let time = Self.stamp(ContinuousClock.now - start, at: Date())
        let name = actor.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
        let first = "\(style.paint(time, .faint))  \(style.paint(name, colour(actor)))  \(text)"
        let lines = [first] + more.map { String(repeating: " ", count: 23) + $0 }
        StandardStream.output.write(line: lines.joined(separator: "\n"))
    }

    /// Prints which configuration a setup has applied.
    func tell(_ update: ConfigurationUpdate) {
        let version = update.version.map { "version \($0)" } ?? "without a version"
        tell(.setup, "update: \(update.state), \(version), namespaces \(update.namespaces)")
        for warning in update.warnings { tell(.setup, "warning: \(warning)") }
    }

    private func colour(_ actor: Actor) -> TextStyle.Rendition {
        switch actor {
        case .file: .yellow
        case .setup: .cyan
        case .service: .green
        case .collector: .magenta
        }
    }
}
