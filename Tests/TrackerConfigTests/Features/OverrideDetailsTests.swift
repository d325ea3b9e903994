import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Who set overrides, when, why and until when.
@Suite("Details of overrides", .endsWhenItHangs)
struct OverrideDetailsTests {
    private let shop = FeatureService()
    private var path: String { shop.service.directory.file("overrides.json") }
    private var time: ManualTime { shop.service.time }
    private var log: MemoryLog { shop.service.log }

    private static let document = #"{"f":{"enabled":true,"variables":{"x":{"value":1}}}}"#
    private static let experiments = #"[{"id":"e","variants":[{"name":"a","weight":1},{"name":"b","weight":0}]}]"#

    /// Starts over the file of overrides, as a process does.
    private func start() throws -> Features {
        var options = FeatureOptions()
        options.overridesFile = path
        return try Features(Self.document, experiments: Self.experiments, options: options, time: time, log: log)
    }

    private func startSetup() async throws -> Setup {
        try await shop.start { $0.features.overridesFile = path }
    }

    private func details(expiresIn seconds: Double? = nil) -> OverrideDetails {
        OverrideDetails(by: "dana", note: "INC-412", expiry: seconds.map { time.now.addingTimeInterval($0) })
    }

    /// Returns when the variable has the document's value again.
    private func waitForDocument(in features: Features) async {
        for await change in features.changes(of: "f", variable: "x", as: Int.self) where change.new == 1 { break }
    }

    private var contents: String {
        get throws { String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) }
    }

    @Test("say who set each override, when, why and until when, features before experiments")
    func entries() throws {
        let features = try start()
        let overrides = features.overrides
        #expect(overrides.entries == [])
        try overrides.force("b", of: "e", by: "eve")
        try overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 47))
        try overrides.setEnabled(false, for: "f")
        let entries = overrides.entries
        #expect(entries.map(\.feature) == ["f", "f", nil])
        #expect(entries.map(\.variable) == [nil, "x", nil])
        #expect(entries.map(\.experiment) == [nil, nil, "e"])
        #expect(entries.map(\.value) == [false, 9, "b"] as [JSONValue?])
        #expect(entries.map(\.time) == [time.now, time.now, time.now])
        #expect(entries.map(\.by) == [nil, "dana", "eve"])
        #expect(entries.map(\.note) == [nil, "INC-412", nil])
        #expect(entries.map(\.expiry) == [nil, time.now.addingTimeInterval(47), nil])
    }

    @Test("are those of the last change, and have texts within their bounds")
    func replaced() throws {
        let features = try start()
        try features.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 47))
        let details = OverrideDetails(by: String(repeating: "b", count: 101), note: String(repeating: "n", count: 501))
        try features.overrides.set(8, for: "f", variable: "x", details: details)
        let entry = try #require(features.overrides.entries.first)
        #expect(entry.by == String(repeating: "b", count: 100))
        #expect(entry.note == String(repeating: "n", count: 500))
        #expect(entry.expiry == nil)
        try features.overrides.set(7, for: "f", variable: "x", by: "", note: "")
        #expect(features.overrides.entries.map(\.by) == [nil])
        #expect(features.overrides.entries.map(\.note) == [nil])
    }

    @Test("survive a restart in a member of their own, which leaves the rest of the file as it was without them")
    func restart() throws {
        let first = try start()
        try first.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 1000))
        try first.overrides.setEnabled(false, for: "f", note: "a \"b\"\nc")
        try first.overrides.force("b", of: "e", by: "eve")
        let entries = first.overrides.entries
        let file = try #require(try JSONReader.read(Array(try contents.utf8)).value.object)
        #expect(file["features"] == ["f": ["enabled": false, "variables": ["x": ["value": 9]]]])
        #expect(file["variants"] == ["e": "b"])
        #expect(
            file.at("details.1") == [
                "feature": "f", "variable": "x", "time": "2023-11-14T22:13:20Z", "by": "dana", "note": "INC-412",
                "expiry": "2023-11-14T22:30:00Z",
            ])
        let second = try start()
        #expect(second.overrides.entries == entries)
        #expect(log.records.allSatisfy { $0.level != .warning })
    }

    @Test("need not be in the file, nor belong to an override, nor be of a known kind")
    func withoutDetails() throws {
        let details = #"[{"feature":"f","variable":"gone","by":"dana"},{"flag":"f"},{"feature":"f","by":"eve","x":1}]"#
        let overrides = #"{"f":{"enabled":false,"variables":{"x":{"value":9}}}}"#
        try Array(#"{"features":\#(overrides),"details":\#(details)}"#.utf8).write(to: path)
        let features = try start()
        #expect(features.overrides.entries.map(\.value) == [false, 9] as [JSONValue?])
        #expect(features.overrides.entries.map(\.by) == ["eve", nil])
        #expect(features.overrides.entries.map(\.time) == [nil, nil])
        #expect(log.records.allSatisfy { $0.level != .warning })
    }

    @Test("hide what was a secret when it was set, after a restart without a document and after one that drops it")
    func formerSecret() async throws {
        shop.publish(1, #"{"f":{"variables":{"key":{"value":"terces","encrypted":true}}}}"#)
        let first = try await startSetup()
        try first.features.overrides.set("hush", for: "f", variable: "key", details: details())
        await first.shutdown(timeout: .zero)
        shop.service.serve(status: 500)
        let second = try await shop.start { options in
            options.features.overridesFile = path
            options.cacheDirectory = shop.service.directory.file("empty")
        }
        #expect(second.features.value("f", variable: "key", default: "") == "hush")
        #expect(second.status.overrides.map(\.value) == [nil] as [JSONValue?])
        #expect(second.features.overrides.entries.map(\.by) == ["dana"])
        await shop.apply(2, "{}", to: second)
        #expect(second.status.document.version == 2)
        #expect(second.status.overrides.map(\.value) == [nil] as [JSONValue?])
        try second.features.overrides.set("hush again", for: "f", variable: "key")
        #expect(second.status.overrides.map(\.value) == [nil] as [JSONValue?])
        #expect(!log.contains("hush"))
        // There is a document, which would say whether it is a secret.
        try second.features.overrides.set(1, for: "f", variable: "other")
        #expect(second.status.overrides.map(\.value) == [nil, 1] as [JSONValue?])
        await second.shutdown(timeout: .zero)
    }

    @Test("of an older file hide a value that could be a secret until there is a document")
    func olderFile() async throws {
        try Array(#"{"features":{"f":{"variables":{"key":{"value":"hush"}}}}}"#.utf8).write(to: path)
        let setup = try await startSetup()
        #expect(setup.status.overrides.map(\.value) == [nil] as [JSONValue?])
        await shop.apply(1, #"{"f":{"variables":{"key":{"value":"plain"}}}}"#, to: setup)
        #expect(setup.status.overrides.map(\.value) == ["hush"] as [JSONValue?])
        await setup.shutdown(timeout: .zero)
    }

    @Test("that are wrong are left out with the place in a warning, and the override stays")
    func wrong() async throws {
        let file = #"{"features":{"f":{"enabled":false}},"details":[{"feature":"f","expiry":"tomorrow"}]}"#
        try Array(file.utf8).write(to: path)
        let setup = try await shop.start(default: #"{"f":{"enabled":true}}"#) { $0.features.overridesFile = path }
        let warning = try #require(shop.service.updates[0].warnings.first { $0.place == "overrides" })
        #expect(warning.reason.contains("details[0].expiry: expected a date as 2026-01-31T12:00:00Z, found 'tomorrow'"))
        #expect(!setup.features.isEnabled("f"))
        #expect(setup.features.overrides.entries.map(\.expiry) == [nil])
        await setup.shutdown(timeout: .zero)
    }

    @Test("end an override at its expiry: reads, listeners, entries and the file are without it")
    func expiry() async throws {
        let features = try start()
        try features.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 47))
        try features.overrides.set(2, for: "f", variable: "kept")
        await time.waitForSleeps(1, of: .seconds(47))
        #expect(features.value("f", variable: "x", default: 0) == 9)
        time.advance(by: .seconds(47))
        await waitForDocument(in: features)
        #expect(features.overrides.entries.map(\.variable) == ["kept"])
        #expect(log.contains("overrides: f.x 9 -> 1, expired"))
        #expect(try !contents.contains("INC-412"))
    }

    @Test("end the first override first, whatever the order in which they were set")
    func order() async throws {
        let features = try start()
        try features.overrides.set(9, for: "f", variable: "y", details: details(expiresIn: 50))
        try features.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 23))
        await time.waitForSleeps(1, of: .seconds(23))
        time.advance(by: .seconds(23))
        await waitForDocument(in: features)
        #expect(features.overrides.entries.map(\.variable) == ["y"])
        await time.waitForSleeps(1, of: .seconds(27))
        time.advance(by: .seconds(27))
        for await change in features.changes(of: "f") where change.new?.variables["y"] == nil { break }
        #expect(features.overrides.entries == [])
    }

    @Test("end an override that expired while no process ran")
    func expiredMeanwhile() throws {
        let first = try start()
        try first.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 47))
        first.stop()
        time.advance(by: .seconds(48))
        let second = try start()
        #expect(second.value("f", variable: "x", default: 0) == 1)
        #expect(second.overrides.entries == [])
        #expect(log.contains("overrides: f.x expired at 2023-11-14T22:14:07Z"))
        #expect(try !contents.contains("INC-412"))
    }

    @Test("of two processes with one file: what another process has extended is in effect again after a reload")
    func extended() async throws {
        let first = try start()
        try first.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 47))
        let second = try start()
        try second.overrides.set(8, for: "f", variable: "x", details: details(expiresIn: 1000))
        await time.waitForSleeps(1, of: .seconds(47))
        time.advance(by: .seconds(47))
        await waitForDocument(in: first)
        #expect(second.value("f", variable: "x", default: 0) == 8)
        first.reload()
        #expect(first.value("f", variable: "x", default: 0) == 8)
    }

    @Test("of two processes with one file: both end an override that both have")
    func shared() async throws {
        let first = try start()
        try first.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: 47))
        let second = try start()
        #expect(second.overrides.entries.map(\.note) == ["INC-412"])
        try second.overrides.set(2, for: "f", variable: "kept", by: "eve")
        await time.waitForSleeps(2, of: .seconds(47))
        time.advance(by: .seconds(47))
        await waitForDocument(in: first)
        await waitForDocument(in: second)
        first.reload()
        #expect(first.overrides.entries.map(\.by) == ["eve"])
    }

    @Test(
        "an expiry that is not later than now is an error, and changes nothing",
        arguments: [0, -1, .infinity, .nan] as [Double])
    func past(seconds: Double) throws {
        let features = try start()
        let error = try #require(throws: FeatureError.self) {
            try features.overrides.set(9, for: "f", variable: "x", details: details(expiresIn: seconds))
        }
        #expect(error.code == .invalidExpiry)
        #expect(features.overrides.entries == [])
    }

    /// The lines about overrides.
    private var lines: [LogRecord] { log.records.filter { $0.message.hasPrefix("overrides: ") } }

    @Test("each change is a line of the log at info, with what was in effect before and is now")
    func logged() async throws {
        shop.publish(1, Self.document, experiments: Self.experiments)
        let setup = try await shop.start()
        let overrides = setup.features.overrides
        try overrides.set(12, for: "f", variable: "x", details: details(expiresIn: 47))
        try overrides.set(["a": true], for: "f", variable: "made up")
        try overrides.setEnabled(false, for: "f", by: "dana b. (ops)")
        try overrides.force("b", of: "e", by: "10.0.0.7")
        try overrides.remove("f", variable: "x", by: "eve")
        try overrides.remove("f", variable: "x", by: "eve")
        try overrides.removeAll(by: "eve")
        #expect(
            lines.map(\.message) == [
                #"overrides: f.x 1 -> 12 by dana ("INC-412"), until 2023-11-14T22:14:07Z"#,
                #"overrides: f.made up unset -> {"a":true}"#,
                #"overrides: f.enabled true -> false by "dana b. (ops)""#,
                #"overrides: experiment e unset -> "b" by 10.0.0.7"#,
                "overrides: f.x 12 -> 1, removed by eve",
                "overrides: f.enabled false -> true, removed by eve",
                #"overrides: f.made up {"a":true} -> unset, removed by eve"#,
                #"overrides: experiment e "b" -> unset, removed by eve"#,
            ])
        #expect(Set(lines.map(\.level)) == [.info])
        await setup.shutdown(timeout: .zero)
    }

    @Test("the log has no secrets")
    func loggedSecrets() async throws {
        let early = try await shop.start()
        // The document that would say whether it is a secret is still to come.
        try early.features.overrides.set("hush", for: "f", variable: "key")
        await early.shutdown(timeout: .zero)
        shop.publish(1, #"{"f":{"variables":{"key":{"value":"terces","encrypted":true}}}}"#)
        let setup = try await shop.start()
        try setup.features.overrides.set("hush", for: "f", variable: "key")
        try setup.features.overrides.remove("f", variable: "key")
        #expect(
            lines.map(\.message) == [
                "overrides: f.key unset -> (hidden)", "overrides: f.key (hidden) -> (hidden)",
                "overrides: f.key (hidden) -> (hidden), removed",
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test("no name, value or note forges a line of the log, or makes it endless")
    func hostile() async throws {
        shop.publish(1, Self.document, experiments: Self.experiments)
        let setup = try await shop.start()
        let text = "a\n\u{202E}b\", until \(String(repeating: "x", count: 10_000))"
        try setup.features.overrides.set(
            text, for: "a\nb", variable: "x", by: text, note: text)
        let line = try #require(lines.first).message
        #expect(lines.count == 1)
        #expect(!line.unicodeScalars.contains { $0 == "\n" || $0 == "\u{202E}" })
        #expect(line.unicodeScalars.count < 1200)
        #expect(!line.contains(#"b", until"#))
        await setup.shutdown(timeout: .zero)
    }
}
