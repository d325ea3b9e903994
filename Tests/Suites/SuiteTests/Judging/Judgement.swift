import Foundation
import Testing
import TrackerConfig

/// What became of the cases of a suite.
struct Judgement {
    /// Why the document cannot express a case.
    struct Unmapped: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private let file: String
    private let suite: String
    private let bar: Double
    private let known: [String: String]
    private var held = 0
    private var differing: [String] = []
    private var unmapped: [String: Int] = [:]
    /// How often each name came, because a suite may have several cases of one name.
    private var names: [String: Int] = [:]

    /// Begins a judgement.
    /// - Parameters:
    ///   - suite: The suite's name and what of it runs, as the documentation has it.
    ///   - file: The file of its counts, without the extension.
    ///   - bar: The share of the mapped cases that must hold.
    ///   - known: The cases that differ by intent, each with the reason.
    init(_ suite: String, file: String, bar: Double, known: [String: String] = [:]) {
        (self.suite, self.file, self.bar, self.known) = (suite, file, bar, known)
    }

    /// Judges a case. It differs if the result is another, and is unmapped if `body` says so.
    /// - Parameters:
    ///   - name: The case's name.
    ///   - expected: The suite's result.
    ///   - body: Evaluates the case.
    mutating func judge<Result: Equatable>(_ name: String, _ expected: Result, _ body: () throws -> Result) {
        do {
            let result = try body()
            note(name, holds: result == expected, "expected \(expected), found \(result)")
        } catch let reason as Unmapped {
            unmapped[reason.reason, default: 0] += 1
        } catch {
            note(name, holds: false, "\(error)")
        }
    }

    /// Notes cases that the document cannot express.
    mutating func leaveOut(_ count: Int, _ reason: String) {
        if count > 0 { unmapped[reason, default: 0] += count }
    }

    /// Notes cases that were compared elsewhere and are all alike.
    mutating func hold(_ count: Int) { held += count }

    /// Notes the result of a case.
    mutating func note(_ name: String, holds: Bool, _ difference: String) {
        names[name, default: 0] += 1
        let name = names[name] == 1 ? name : "\(name) (\(names[name] ?? 0))"
        if holds {
            held += 1
            if known[name] != nil { Issue.record("\(file): '\(name)' is listed as differing, and holds now") }
        } else {
            differing.append(name)
            if known[name] == nil { Issue.record("\(file): '\(name)' differs: \(difference)") }
        }
    }

    /// Prints the counts, and compares them with the bar and with the committed ones.
    func finish() throws {
        for name in known.keys where names[name] == nil {
            Issue.record("\(file): '\(name)' is listed as differing, and the suite has no such case")
        }
        var reasons: [String: Int] = [:]
        for name in differing { reasons[known[name] ?? "not listed", default: 0] += 1 }
        let counts = Counts(
            suite: suite, held: held, differing: differing.count, unmapped: unmapped.values.reduce(0, +),
            differences: reasons, leftOut: unmapped)
        print("\(file): \(counts.held) held, \(counts.differing) differing, \(counts.unmapped) unmapped")
        for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) { print("  differs, \(count): \(reason)") }
        for (reason, count) in unmapped.sorted(by: { $0.key < $1.key }) { print("  unmapped, \(count): \(reason)") }
        #expect(Double(held) >= bar * Double(held + differing.count), "\(file) misses its bar")
        let url = SharedData.counts.appending(path: "\(file).json")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(counts) + Data("\n".utf8)
        if ProcessInfo.processInfo.environment["WRITE_COUNTS"] != nil {
            try text.write(to: url)
        } else {
            #expect(
                try Data(contentsOf: url) == text, "\(url.lastPathComponent) has other counts; run with WRITE_COUNTS=1")
        }
    }
}

/// The counts of a suite, of which `Documentation/tables.py` makes a table.
private struct Counts: Codable {
    let suite: String
    let held: Int
    let differing: Int
    let unmapped: Int
    let differences: [String: Int]
    let leftOut: [String: Int]
}
