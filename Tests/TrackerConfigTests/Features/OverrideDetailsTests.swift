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

    /// Sets an override of dana.
    private func set(
        _ value: some Encodable, of variable: String, expiresIn seconds: Double? = nil, in features: Features
    ) throws {
        let expiry = seconds.map { time.now.addingTimeInterval($0) }
        try features.overrides.set(value, for: "f", variable: variable, by: "dana", note: "INC-412", expiry: expiry)
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
        try set(9, of: "x", expiresIn: 47, in: features)
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
        try set(9, of: "x", expiresIn: 47, in: features)
        try features.overrides.set(
            8, for: "f", variable: "x", by: String(repeating: "b", count: 101), note: String(repeating: "n", count: 501)
        )
        let entry = try #require(features.overrides.entries.first)
        #expect(entry.by == String(repeating: "b", count: 100))
        #expect(entry.note == String(repeating: "n", count: 500))
        #expect(entry.expiry == nil)
        try features.overrides.set(7, for: "f", variable: "x", by: "", note: "")
        #expect(features.overrides.entries.map(\.by) == [nil])
        #expect(features.overrides.entries.map(\.note) == [nil])
    }

    @Test("survive a restart in a list that is as the status shows them")
    func restart() throws {
        let first = try start()
        try set(9, of: "x", expiresIn: 1000, in: first)
        try first.overrides.setEnabled(false, for: "f", note: "a \"b\"\nc")
        try first.overrides.force("b", of: "e", by: "eve")
        let entries = first.overrides.entries
        let file = try JSONReader.read(Array(try contents.utf8)).value
        let time: JSONValue = "2023-11-14T22:13:20Z"
        #expect(
            file == [
                "overrides": [
                    ["feature": "f", "value": false, "time": time, "note": "a \"b\"\nc"],
                    [
                        "feature": "f", "variable": "x", "value": 9, "time": time, "by": "dana", "note": "INC-412",
                        "expiry": "2023-11-14T22:30:00Z",
                    ], ["experiment": "e", "value": "b", "time": time, "by": "eve"],
                ]
            ])
        let second = try start()
        #expect(second.overrides.entries == entries)
        #expect(log.records.allSatisfy { $0.level != .warning })
        #expect(shop.service.directory.mode(of: "overrides.json") == 0o600)
    }

    @Test("need not be in the file: a person writes names and values")
    func withoutDetails() throws {
        let overrides = #"{"feature":"f","variable":"x","value":9},{"feature":"f","value":false,"by":"eve"}"#
        try Array(#"{"overrides":[\#(overrides)]}"#.utf8).write(to: path)
        let features = try start()
        #expect(features.overrides.entries.map(\.value) == [false, 9] as [JSONValue?])
        #expect(features.overrides.entries.map(\.by) == ["eve", nil])
        #expect(features.overrides.entries.map(\.time) == [nil, nil])
        #expect(log.records.allSatisfy { $0.level != .warning })
    }

    @Test("do not change when the file is read again, whatever fraction of a second a time has")
    func fraction() throws {
        let features = try start()
        try set(9, of: "x", expiresIn: 47.0004, in: features)
        let entries = features.overrides.entries
        features.reload()
        #expect(features.overrides.entries == entries)
        #expect(lines.count == 1)
    }

    @Test("hide what was a secret when it was set, after a restart without a document and after one that drops it")
    func formerSecret() async throws {
        shop.publish(1, #"{"f":{"variables":{"key":{"value":"terces","encrypted":true}}}}"#)
        let first = try await startSetup()
        try set("hush", of: "key", in: first.features)
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

    @Test("of a person's file hide a value that could be a secret until there is a document")
    func handwrittenFile() async throws {
        try Array(#"{"overrides":[{"feature":"f","variable":"key","value":"hush"}]}"#.utf8).write(to: path)
        let setup = try await startSetup()
        #expect(setup.status.overrides.map(\.value) == [nil] as [JSONValue?])
        await shop.apply(1, #"{"f":{"variables":{"key":{"value":"plain"}}}}"#, to: setup)
        #expect(setup.status.overrides.map(\.value) == ["hush"] as [JSONValue?])
        await setup.shutdown(timeout: .zero)
    }

    @Test("that no version knows are left out with the place in a warning, and the override stays")
    func unknown() async throws {
        try Array(#"{"overrides":[{"feature":"f","value":false,"expires":"tomorrow"}]}"#.utf8).write(to: path)
        let setup = try await shop.start(default: #"{"f":{"enabled":true}}"#) { $0.features.overridesFile = path }
        let warning = try #require(shop.service.updates[0].warnings.first { $0.place == "overrides" })
        #expect(warning.reason.contains("overrides[0].expires: an unknown key, ignored"))
        #expect(!setup.features.isEnabled("f"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("end an override at its expiry: reads, listeners, entries and the file are without it")
    func expiry() async throws {
        let features = try start()
        try set(9, of: "x", expiresIn: 47, in: features)
        try features.overrides.set(2, for: "f", variable: "kept")
        await time.waitForSleeps(1, of: .seconds(47))
        #expect(features.value("f", variable: "x", default: 0) == 9)
        time.advance(by: .seconds(47))
        await waitForDocument(in: features)
        #expect(features.overrides.entries.map(\.variable) == ["kept"])
        #expect(log.contains("overrides: the override of f.x by dana expired, 9 → 1"))
        #expect(try !contents.contains("INC-412"))
    }

    @Test("end the first override first, whatever the order in which they were set")
    func order() async throws {
        let features = try start()
        try set(9, of: "y", expiresIn: 50, in: features)
        try set(9, of: "x", expiresIn: 23, in: features)
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
        try set(9, of: "x", expiresIn: 47, in: first)
        first.stop()
        time.advance(by: .seconds(48))
        let second = try start()
        #expect(second.value("f", variable: "x", default: 0) == 1)
        #expect(second.overrides.entries == [] && second.overrides.changes.isEmpty)
        #expect(log.contains("overrides: the override of f.x by dana expired"))
        #expect(try !contents.contains("INC-412"))
    }

    @Test("of two processes with one file: what another process has extended is in effect again after a reload")
    func extended() async throws {
        let first = try start()
        try set(9, of: "x", expiresIn: 47, in: first)
        let second = try start()
        try set(8, of: "x", expiresIn: 1000, in: second)
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
        try set(9, of: "x", expiresIn: 47, in: first)
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
            try set(9, of: "x", expiresIn: seconds, in: features)
        }
        #expect(error.code == .invalidExpiry)
        #expect(features.overrides.entries == [])
    }

    /// The lines about overrides.
    private var lines: [LogRecord] { log.records.filter { $0.message.hasPrefix("overrides: ") } }

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
                "overrides: f.key was set", "overrides: f.key was set", "overrides: the override of f.key was removed",
            ])
        await setup.shutdown(timeout: .zero)
    }
}
