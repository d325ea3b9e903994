import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// Who changes something on a console, why and until when, and what puts it back.
@Suite("Console: details and undo of changes", .endsWhenItHangs)
struct ConsoleOverrideTests {
    private let shop = FeatureService()
    private static let experiment = #"[{"id":"e","variants":[{"name":"a","weight":1},{"name":"b","weight":0}]}]"#
    private static let features =
        #"{"f":{"enabled":true,"variables":{"x":{"value":3},"key":{"value":"c","encrypted":true}}}}"#

    private func start() async throws -> (Setup, ConsoleBrowser) {
        shop.publish(1, Self.features, experiments: Self.experiment)
        return try await shop.browse()
    }

    @Test(
        "each kind of override has its details in entries and in the log",
        arguments: [
            ("features/f/enabled", "false", "set f.enabled true → false"),
            ("features/f/variables/x", "12", "set f.x 3 → 12"),
            ("experiments/e/variant", #""b""#, #"set the variant of experiment e unset → "b""#),
        ])
    func details(path: String, value: String, words: String) async throws {
        let (setup, browser) = try await start()
        let body = #"{"value":\#(value),"by":" dana ","note":"INC-412","expiry":"2023-11-14T23:13:20+00:00"}"#
        #expect(await browser.send("PUT", path, body).status == 200)
        let entry = try #require(setup.features.overrides.entries.first)
        #expect(entry.by == "dana")
        #expect(entry.note == "INC-412")
        #expect(entry.expiry == shop.service.time.now.addingTimeInterval(3600))
        let line = "overrides: dana \(words), until 2023-11-14T23:13:20Z: INC-412"
        #expect(shop.service.log.records.contains(LogRecord(level: .info, message: line)))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a change answers with the override that it replaced, in the form that puts it back")
    func undo() async throws {
        let (setup, browser) = try await start()
        let path = "features/f/variables/x"
        let first = await browser.send("PUT", path, #"{"value":12,"by":"dana","note":"INC-412","expiry":3600}"#)
        #expect(first.json == ["previous": nil])
        let entry = setup.features.overrides.entries
        let previous: JSONValue = [
            "feature": "f", "variable": "x", "value": 12, "time": "2023-11-14T22:13:20Z", "by": "dana",
            "note": "INC-412", "expiry": "2023-11-14T23:13:20Z",
        ]
        #expect(await browser.send("PUT", path, #"{"value":13,"by":"eve"}"#).json == ["previous": previous])
        #expect(setup.features.value("f", variable: "x", default: 0) == 13)
        let back = #"{"value":12,"by":"dana","note":"INC-412","expiry":"2023-11-14T23:13:20Z"}"#
        #expect(await browser.send("PUT", path, back).status == 200)
        #expect(setup.features.overrides.entries == entry)
        #expect(await browser.send("DELETE", "\(path)?by=eve").json == ["previous": previous])
        #expect(setup.features.value("f", variable: "x", default: 0) == 3)
        #expect(await browser.send("DELETE", "\(path)?by=eve").json == ["previous": nil])
        await setup.shutdown(timeout: .zero)
    }

    @Test("the removal of all overrides answers with all of them, without secrets, and the log says who removed them")
    func removal() async throws {
        let (setup, browser) = try await start()
        try setup.features.overrides.set("hush", for: "f", variable: "key")
        _ = await browser.send("PUT", "features/f/enabled", #"{"value":false,"by":"dana","note":null}"#)
        _ = await browser.send("PUT", "experiments/e/variant", #"{"value":"b","by":"dana","expiry":"never"}"#)
        let answer = await browser.send("DELETE", "overrides?by=eve")
        let time: JSONValue = "2023-11-14T22:13:20Z"
        let removed: [JSONValue] = [
            ["feature": "f", "value": false, "time": time, "by": "dana", "expiry": "2023-11-15T02:13:20Z"],
            ["feature": "f", "variable": "key", "time": time, "expiry": "never"],
            ["experiment": "e", "value": "b", "time": time, "by": "dana", "expiry": "never"],
        ]
        #expect(answer.json == ["previous": .array(removed)])
        #expect(shop.service.log.contains("overrides: eve removed the override of f.enabled, false → true"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("the author is the user that the server knows, else the one of the body, else of the query")
    func author() async throws {
        let (setup, browser) = try await start()
        for (path, body, client, by) in [
            ("?by=eve", #"{"value":4,"by":"dana"}"#, nil, "dana"), ("?by=eve", #"{"value":5,"by":""}"#, nil, "eve"),
            ("?by=eve", #"{"value":6,"by":"dana"}"#, "frank", "frank"),
            ("", #"{"value":7,"by":null}"#, "frank", "frank"),
            ("?by=eve", #"{"value":8}"#, " ", "eve"),
        ] as [(String, String, String?, String)] {
            let request = ConsoleRequest(
                method: "PUT", path: "/console/features/f/variables/x\(path)",
                headers: browser.headers + [HTTPHeader(name: "Content-Type", value: "application/json")],
                body: Array(body.utf8), client: client)
            #expect(await browser.console.respond(to: request).status == 200)
            #expect(setup.features.overrides.entries.map(\.by) == [by])
            #expect(setup.status.overrides.map(\.by) == [by])
            #expect(setup.status.changes.first?.text.hasPrefix("\(by) ") == true)
        }
        let removal = ConsoleRequest(
            method: "DELETE", path: "/console/features/f/variables/x?by=dana", headers: browser.headers, client: "frank"
        )
        #expect(await browser.console.respond(to: removal).status == 200)
        #expect(shop.service.log.contains("overrides: frank removed the override of f.x"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a change without an author is refused with what to send, and changes nothing")
    func noAuthor() async throws {
        let (setup, browser) = try await start()
        try setup.features.overrides.set(5, for: "f", variable: "x")
        for (method, path, body, error) in [
            ("PUT", "features/f/variables/x", #"{"value":12}"#, Self.noAuthor),
            ("PUT", "features/f/enabled?by=", #"{"value":false,"by":" "}"#, Self.noAuthor),
            ("PUT", "experiments/e/variant", #"{"value":"b","by":null}"#, Self.noAuthor),
            ("DELETE", "features/f/variables/x", nil, Self.noRemover),
            ("DELETE", "features/f/enabled", nil, Self.noRemover),
            ("DELETE", "experiments/e/variant", nil, Self.noRemover), ("DELETE", "overrides", nil, Self.noRemover),
        ] as [(String, String, String?, String)] {
            let answer = await browser.send(method, path, body)
            #expect((answer.status, answer.error) == (400, error))
        }
        #expect(setup.features.overrides.entries.map(\.value) == [5])
        await setup.shutdown(timeout: .zero)
    }

    private static let noAuthor =
        #"an override needs an author: send "by": "NAME" in the body or ?by=NAME in the query"#
    private static let noRemover = "this change needs an author: send ?by=NAME in the query"

    @Test("an override expires after 4 hours unless its request says otherwise, or says never")
    func defaultExpiry() async throws {
        let (setup, browser) = try await start()
        let now = shop.service.time.now
        for (expiry, seconds) in [
            ("", 14_400), (#","expiry":null"#, 14_400), (#","expiry":"""#, 14_400), (#","expiry":60"#, 60),
            (#","expiry":"never""#, nil),
        ] as [(String, Double?)] {
            let body = #"{"value":12,"by":"dana"\#(expiry)}"#
            #expect(await browser.send("PUT", "features/f/variables/x", body).status == 200)
            #expect(setup.features.overrides.entries.map(\.expiry) == [seconds.map(now.addingTimeInterval)])
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("what is wrong is refused with a sentence, and nothing changes")
    func refused() async throws {
        let (setup, browser) = try await start()
        for (body, error) in [
            ("12", "expected an object, found an integer"), (#"{"by":"dana"}"#, "required key 'value' is missing"),
            (#"{"value":12,"expires":47}"#, "unknown key 'expires'"),
            (#"{"value":12,"by":7}"#, "'by': expected a string, found an integer"),
            (#"{"value":12,"note":["a"]}"#, "'note': expected a string, found a list"),
            (#"{"value":12,"expiry":"2023-11-14T22:13:20Z"}"#, past), (#"{"value":12,"expiry":0}"#, past),
            (#"{"value":12,"expiry":1e300}"#, past),
            (#"{"value":12,"expiry":"18:00"}"#, noDate + #" "18:00""#),
            (#"{"value":12,"expiry":true}"#, noDate + " true"),
            (
                #"{"value":12,"by":"\#(String(repeating: "b", count: 101))"}"#,
                "'by': expected at most 100 characters, found 101"
            ),
            (
                #"{"value":12,"note":"\#(String(repeating: "n", count: 501))"}"#,
                "'note': expected at most 500 characters, found 501"
            ),
        ] as [(String, String)] {
            let answer = await browser.send("PUT", "features/f/variables/x?by=dana", body)
            #expect((answer.status, answer.error) == (422, error))
            #expect(setup.features.overrides.entries == [])
        }
        await setup.shutdown(timeout: .zero)
    }
}

private let past = "f.x: the expiry must be later than now, and no later than the year 9999"
private let noDate = "'expiry': expected a date as 2026-01-31T12:00:00Z, a number of seconds or \"never\", found"
