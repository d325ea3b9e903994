import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// What remains of overrides in the history of a setup.
@Suite("History of overrides", .endsWhenItHangs)
struct OverrideHistoryTests {
    private let shop = FeatureService()
    private var path: String { shop.service.directory.file("overrides.json") }
    private var time: ManualTime { shop.service.time }

    private func start() async throws -> Setup {
        shop.publish(
            1, #"{"f":{"enabled":true,"variables":{"x":{"value":1},"key":{"value":"terces","encrypted":true}}}}"#,
            experiments: #"[{"id":"e","variants":[{"name":"a","weight":1},{"name":"b","weight":0}]}]"#)
        return try await shop.start { $0.features.overridesFile = path }
    }

    /// The kinds and texts of the changes of overrides, the oldest first.
    private func rows(_ setup: Setup) -> [String] {
        setup.status.changes.filter { $0.kind.rawValue.hasPrefix("override") }.reversed()
            .map { "\($0.kind.rawValue): \($0.text)" }
    }

    @Test("each change by code is a row with author, reason and values, which stays when the override is gone")
    func changes() async throws {
        let setup = try await start()
        let overrides = setup.features.overrides
        try overrides.set(12, for: "f", variable: "x", by: "dana", note: "INC-412")
        try overrides.set(15, for: "f", variable: "x", by: "eve b.")
        try overrides.set(15, for: "f", variable: "x", by: "eve b.", note: "longer", expiry: time.now + 3600)
        try overrides.remove("f", variable: "x", by: "eve b.")
        try overrides.setEnabled(false, for: "f")
        try overrides.setEnabled(true, for: "f")
        try overrides.remove("f")
        try overrides.remove("f", by: "nothing to remove")
        try overrides.force("b", of: "e", by: "dana", note: "INC-413")
        try overrides.force("a", of: "e")
        try overrides.removeAll(by: "dana")
        try overrides.force("b", of: "e")
        try overrides.force(nil, of: "e")
        #expect(
            rows(setup) == [
                "overrideSet: dana set f.x 1 → 12: INC-412", "overrideChanged: eve b. changed f.x 12 → 15",
                "overrideChanged: eve b. changed f.x 15 → 15: longer",
                "overrideRemoved: eve b. removed the override of f.x, 15 → 1",
                "overrideSet: f.enabled was set true → false", "overrideChanged: f.enabled was changed false → true",
                "overrideRemoved: the override of f.enabled was removed",
                #"overrideSet: dana set the variant of experiment e unset → "b": INC-413"#,
                #"overrideChanged: the variant of experiment e was changed "b" → "a""#,
                #"overrideRemoved: dana removed the override of the variant of experiment e, "a" → unset"#,
                #"overrideSet: the variant of experiment e was set unset → "b""#,
                #"overrideRemoved: the override of the variant of experiment e was removed, "b" → unset"#,
            ])
        #expect(setup.status.overrides == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("an override that expires is a row with its author and its time")
    func expiry() async throws {
        let setup = try await start()
        let start = time.now
        try setup.features.overrides.set(12, for: "f", variable: "x", by: "dana", expiry: start + 47)
        try setup.features.overrides.force("b", of: "e", expiry: start + 47)
        await time.waitForSleeps(1, of: .seconds(47))
        time.advance(by: .seconds(47))
        for await change in setup.features.changes(of: "f", variable: "x", as: Int.self) where change.new == 1 { break }
        #expect(
            rows(setup).suffix(2) == [
                "overrideExpired: the override of f.x by dana expired, 12 → 1",
                #"overrideExpired: the override of the variant of experiment e expired, "b" → unset"#,
            ])
        #expect(setup.status.changes.first?.lastTime == start + 47)
        await setup.shutdown(timeout: .zero)
    }

    @Test("what a person changes in the overrides file is a row after the reload, and what the file has at the start")
    func file() async throws {
        let setAt = time.now - 60
        let setting = #"{"feature":"f","value":false,"time":"2023-11-14T22:12:20Z","by":"dana","note":"INC-412"}"#
        let first = #"{"overrides":[\#(setting),{"experiment":"e","value":"b"}]}"#
        try Array(first.utf8).write(to: path)
        let setup = try await start()
        #expect(rows(setup) == ["overrideSet: dana set f.enabled to false: INC-412"])
        #expect(setup.status.changes.last?.lastTime == setAt)
        setup.features.reload()
        #expect(rows(setup).count == 1)
        let second = #"{"overrides":[{"feature":"f","value":true},{"feature":"f","variable":"x","value":9}]}"#
        try Data(second.utf8).write(to: URL(filePath: path))
        setup.features.reload()
        #expect(
            rows(setup).dropFirst() == [
                "overrideSet: f.x was set in the overrides file, 1 → 9",
                "overrideChanged: f.enabled was changed in the overrides file, false → true",
                #"overrideRemoved: the override of the variant of experiment e was removed in the overrides file, "b" → unset"#,
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test("rows and lines have no secret, no line break and a bound, and rows no value that is encrypted later")
    func secrets() async throws {
        let setup = try await start()
        try setup.features.overrides.set("hush", for: "f", variable: "key", by: "da\nna", note: "a\u{202E}b")
        let row = try #require(rows(setup).first)
        #expect(row.hasPrefix("overrideSet: da") && row.contains("set f.key: a"))
        #expect(!row.contains("hush") && !row.contains("terces"))
        #expect(!row.unicodeScalars.contains { $0 == "\n" || $0 == "\u{202E}" })
        let text = "a\n\u{202E}b\", until \(String(repeating: "x", count: 10_000))"
        try setup.features.overrides.set(text, for: "a\nb", variable: "x", by: text, note: text)
        let logged = shop.service.log.records.map(\.message).last { $0.hasPrefix("overrides: ") }
        for line in [rows(setup)[1], try #require(logged)] {
            #expect(!line.unicodeScalars.contains { $0 == "\n" || $0 == "\u{202E}" })
            #expect(line.unicodeScalars.count < 1200)
        }
        try setup.features.overrides.set(12, for: "f", variable: "x", by: "dana", note: "INC-412")
        #expect(rows(setup).last == "overrideSet: dana set f.x 1 → 12: INC-412")
        let encrypted = #"{"f":{"enabled":true,"variables":{"x":{"value":"terces","encrypted":true}}}}"#
        await shop.apply(2, encrypted, to: setup)
        #expect(rows(setup).last == "overrideSet: dana set f.x: INC-412")
        await setup.shutdown(timeout: .zero)
    }

    @Test("many changes at once are one row with the first names")
    func many() async throws {
        let setup = try await start()
        for number in 1...5 { try setup.features.overrides.set(number, for: "f", variable: "v\(number)") }
        try setup.features.overrides.force("b", of: "e")
        try setup.features.overrides.removeAll(by: "dana")
        #expect(
            rows(setup).last
                == "overrideRemoved: dana removed the overrides of f.v1, f.v2, f.v3, f.v4, f.v5 and 1 more")
        await setup.shutdown(timeout: .zero)
    }

    @Test("the rows are at most 50, fold repetitions, and code that changes one override does not push out the others")
    func bounded() async throws {
        let setup = try await start()
        let overrides = setup.features.overrides
        try overrides.set(12, for: "f", variable: "x", by: "dana", note: "INC-412")
        for number in 0..<60 { try overrides.set(number, for: "f", variable: "noise") }
        #expect(rows(setup).count == 50)
        #expect(rows(setup).first == "overrideSet: dana set f.x 1 → 12: INC-412")
        #expect(rows(setup).last == "overrideChanged: f.noise was changed 58 → 59")
        for _ in 0..<30 {
            try overrides.setEnabled(false, for: "f", by: "eve")
            time.advance(by: .seconds(1))
            try overrides.remove("f", by: "eve")
        }
        let last = try #require(setup.status.changes.first)
        #expect((last.text, last.count) == ("eve removed the override of f.enabled, false → true", 30))
        #expect(last.lastTime.timeIntervalSince(last.firstTime) == 29)
        for number in 0..<60 { try overrides.set(1, for: "f", variable: "v\(number)") }
        #expect(rows(setup).count == 50)
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "overrides and documents do not push out each other, stand in the order of time, and keep the last of each kind"
    )
    func merged() async throws {
        let setup = try await start()
        let applied = setup.status.last(.applied)
        for number in 0..<60 { try setup.features.overrides.set(1, for: "f", variable: "v\(number)", by: "dana") }
        var status = setup.status
        #expect(status.changes.count(where: { $0.kind == .overrideSet }) == 50)
        #expect(status.changes.contains { $0.kind == .applied })
        #expect((status.last(.applied), status.pending, status.isHealthy) == (applied, nil, true))
        time.advance(by: .seconds(1))
        for number in 2..<70 {
            shop.service.serve(status: 400 + number)
            await setup.refresh()
        }
        status = setup.status
        #expect(status.changes.count(where: { $0.kind == .overrideSet }) == 50)
        #expect(status.changes.count == 100)
        let times = status.changes.map(\.lastTime)
        #expect(times == times.sorted(by: >))
        await setup.shutdown(timeout: .zero)
    }
}
