import Foundation
import TrackerConfig
import TrackerCore

/// Prints what happens, with the time since the start and who does it, in the order in which it happens.
final class Timeline: Sendable {
    /// Who does something.
    enum Actor: String {
        case file
        case setup
        case service
        case collector
    }

    private let start = ContinuousClock.now
    private let isColoured: Bool

    init() {
        // https://no-color.org
        isColoured = isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    }

    /// Begins a chapter.
    func chapter(_ title: String) {
        StandardStream.output.write(line: "\n" + styled(title, "1"))
    }

    /// Tells one thing; further lines stand below it.
    func tell(_ actor: Actor, _ text: String, _ more: [String] = []) {
        let time = String(format: "%7.1f ms", (ContinuousClock.now - start) / .milliseconds(1))
        let name = actor.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
        let first = "\(styled(time, "2"))  \(styled(name, colour(actor)))  \(text)"
        let lines = [first] + more.map { String(repeating: " ", count: 23) + $0 }
        StandardStream.output.write(line: lines.joined(separator: "\n"))
    }

    /// Tells which configuration a setup has put in effect.
    func tell(_ update: ConfigurationUpdate) {
        let version = update.version.map { "version \($0)" } ?? "without a version"
        tell(.setup, "update: \(update.state), \(version), namespaces \(update.namespaces)")
        for warning in update.warnings { tell(.setup, "warning: \(warning)") }
    }

    private func colour(_ actor: Actor) -> String {
        switch actor {
        case .file: "33"
        case .setup: "36"
        case .service: "32"
        case .collector: "35"
        }
    }

    private func styled(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
