import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Overrides and their file, when the file is read again or cannot be written.
@Suite("Overrides: reading the file again", .endsWhenItHangs)
struct OverrideReloadTests {
    private let directory = TemporaryDirectory()
    private let log = MemoryLog()
    private var folder: String { directory.file("etc") }
    private var path: String { "\(folder)/overrides.json" }

    private func features(_ log: MemoryLog? = nil) -> Features {
        var options = FeatureOptions()
        options.overridesFile = path
        return Features(
            [FeatureDefinition(name: "checkout", isEnabled: true)],
            experiments: [Experiment(id: "e", variants: [ExperimentVariant(name: "a")])], options: options, log: log)
    }

    /// A directory that cannot be made, because a file has its name.
    private func block() throws { try Array("a file".utf8).write(to: folder) }

    private func unblock() throws { try FileManager.default.removeItem(atPath: folder) }

    private var lines: [String] { log.records.map(\.message).filter { $0.hasPrefix("overrides: ") } }

    @Test(
        "an override that could not be written stays in effect when the file is read again, and the next change writes it"
    )
    func unwritten() throws {
        let features = features(log)
        try block()
        let error = try #require(throws: FeatureError.self) {
            try features.overrides.setEnabled(false, for: "checkout")
        }
        #expect(error.code == .notKept)
        #expect("\(error)".hasPrefix("checkout.enabled: the override is in effect, but ends with the process: cannot"))
        #expect(!features.isEnabled("checkout"))
        #expect(throws: FeatureError.self) { try features.overrides.force("a", of: "e") }
        // The disk is well again, and the file is another process's.
        try unblock()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let overrides = #"{"feature":"checkout","value":true},{"feature":"other","value":true}"#
        try Array(#"{"overrides":[\#(overrides)]}"#.utf8).write(to: path)
        features.reload()
        #expect(!features.isEnabled("checkout"))
        #expect(features.isEnabled("other"))
        #expect(features.overrides.variants == ["e": "a"])
        try features.overrides.set(1, for: "checkout", variable: "v")
        features.reload()
        #expect(!features.isEnabled("checkout"))
        let restarted = self.features()
        #expect(!restarted.isEnabled("checkout"))
        #expect(restarted.isEnabled("other"))
        #expect(restarted.overrides.variants == ["e": "a"])
    }

    @Test("what was removed and is still in the file does not come back when the file is read again")
    func removed() throws {
        let features = features(log)
        try features.overrides.setEnabled(false, for: "checkout")
        try FileManager.default.moveItem(atPath: folder, toPath: directory.file("aside"))
        try block()
        #expect(throws: FeatureError.self) { try features.overrides.remove("checkout") }
        try unblock()
        try FileManager.default.moveItem(atPath: directory.file("aside"), toPath: folder)
        features.reload()
        #expect(features.isEnabled("checkout"))
        #expect(!self.features().isEnabled("checkout"))
        try features.overrides.force("a", of: "e")
        #expect(self.features().isEnabled("checkout"))
    }

    @Test("a file that is missing or cannot be read changes nothing, and is written anew with all that is in effect")
    func missing() throws {
        let features = features(log)
        try features.overrides.setEnabled(false, for: "checkout")
        try FileManager.default.removeItem(atPath: path)
        features.reload()
        #expect(!features.isEnabled("checkout"))
        #expect(lines.contains("overrides: the file \(path) is missing; keeping the current overrides"))
        try features.overrides.force("a", of: "e")
        #expect(!self.features().isEnabled("checkout"))
        try FileManager.default.removeItem(atPath: path)
        try Array("no JSON".utf8).write(to: path)
        features.reload()
        #expect(!features.isEnabled("checkout"))
        try features.overrides.set(1, for: "checkout", variable: "v")
        let restarted = self.features()
        #expect(!restarted.isEnabled("checkout"))
        #expect(restarted.overrides.variants == ["e": "a"])
    }

    @Test("texts that a document cannot have are in effect after a restart too")
    func marks() throws {
        let marks = "a" + String(repeating: "\u{301}", count: 129)
        try features().overrides.set(marks, for: "checkout", variable: marks, note: marks)
        let restarted = features(log)
        #expect(restarted.value("checkout", variable: marks, default: "") == marks)
        #expect(lines.isEmpty)
    }

    @Test("an override that the file ends or replaces has a line in the log")
    func ended() throws {
        let features = features(log)
        try features.overrides.setEnabled(false, for: "checkout")
        try features.overrides.force("a", of: "e")
        let other = self.features()
        try other.overrides.remove("checkout")
        try other.overrides.force("b", of: "e")
        features.reload()
        #expect(features.isEnabled("checkout"))
        #expect(
            lines.suffix(2) == [
                "overrides: the override of checkout.enabled was removed in the overrides file, false → true",
                #"overrides: the variant of experiment e was changed in the overrides file, "a" → "b""#,
            ])
        features.reload()
        #expect(lines.count == 4)
    }

    @Test(
        "there are at most 10,000 overrides, and a file of more than 16 MiB is not written, as it could not be read again"
    )
    func bounds() throws {
        let text = (0..<10_000).map { #"{"feature":"f\#($0)","value":true}"# }.joined(separator: ",")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Array(#"{"overrides":[\#(text)]}"#.utf8).write(to: path)
        let features = features()
        let error = #expect(throws: FeatureError.self) { try features.overrides.setEnabled(false, for: "checkout") }
        #expect(error?.code == .tooManyOverrides)
        #expect(features.isEnabled("checkout"))
        try features.overrides.setEnabled(false, for: "f1")
        try features.overrides.remove("f2")
        let large = String(repeating: "x", count: 17 << 20)
        let tooLarge = #expect(throws: FeatureError.self) {
            try features.overrides.set(large, for: "checkout", variable: "v")
        }
        #expect(tooLarge?.code == .notKept)
        #expect(!self.features().isEnabled("f1"))
    }
}
