import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Overrides, in memory and on disk.
@Suite("Overrides", .endsWhenItHangs)
struct FeatureOverrideTests {
    private let shop = FeatureService()
    private var path: String { shop.service.directory.file("etc/overrides.json") }

    private func start() async throws -> Setup {
        try await shop.start { $0.features.overridesFile = path }
    }

    @Test("an override survives a refresh, and deleting it shows the value below")
    func refresh() async throws {
        shop.publish(1, #"{"f":{"variables":{"x":{"value":1}}}}"#)
        let setup = try await shop.start()
        try setup.features.overrides.set(9, for: "f", variable: "x")
        shop.publish(2, #"{"f":{"variables":{"x":{"value":2}}}}"#)
        await setup.refresh()
        #expect(setup.features.value("f", variable: "x", default: 0) == 9)
        #expect(setup.features.detail("f", variable: "x", default: 0).source == .override)
        try setup.features.overrides.remove("f", variable: "x")
        #expect(setup.features.value("f", variable: "x", default: 0) == 2)
        try setup.features.overrides.set(9, for: "f", variable: "x")
        try setup.features.overrides.set(JSONValue.null, for: "f", variable: "x")
        #expect(setup.features.value("f", variable: "x", default: 0) == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("in a file, an override survives a restart; without one it does not")
    func restart() async throws {
        shop.publish(1, #"{"f":{"enabled":true,"variables":{"x":{"value":1}}}}"#, experiments: Self.experiments)
        let first = try await start()
        try first.features.overrides.set(["a": [1, 2]], for: "f", variable: "x")
        try first.features.overrides.setEnabled(false, for: "f")
        try first.features.overrides.force("b", of: "e")
        await first.shutdown(timeout: .zero)
        let second = try await start()
        #expect(second.features.value("f", variable: "x", default: ["": [0]]) == ["a": [1, 2]])
        #expect(!second.features.isEnabled("f"))
        #expect(second.features.overrides.variants == ["e": "b"])
        #expect(second.features.overrides.features.map(\.name) == ["f"])
        try second.features.overrides.removeAll()
        await second.shutdown(timeout: .zero)
        let third = try await start()
        #expect(third.features.value("f", variable: "x", default: 0) == 1)
        #expect(third.features.overrides.variants == [:])
        await third.shutdown(timeout: .zero)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("an override that is set to null is gone from the file, which stays good")
    func null() async throws {
        shop.publish(1, #"{"f":{"variables":{"x":{"value":1}}}}"#)
        let first = try await start()
        try first.features.overrides.set(2, for: "f", variable: "x")
        try first.features.overrides.set(3, for: "f", variable: "kept")
        try first.features.overrides.set(4, for: "g", variable: "y")
        try first.features.overrides.set(JSONValue.null, for: "f", variable: "x")
        try first.features.overrides.set(Int?.none, for: "g", variable: "y")
        #expect(first.features.overrides.features.map(\.name) == ["f"])
        #expect(first.features.values(of: "g") == nil)
        await first.shutdown(timeout: .zero)
        let second = try await start()
        #expect(second.features.detail("f", variable: "x", default: 0).source == .remote(version: 1))
        #expect(second.features.value("f", variable: "kept", default: 0) == 3)
        await second.shutdown(timeout: .zero)
    }

    private static let experiments = """
        [{"id":"e","sticky":true,"variants":[{"name":"a","weight":1},{"name":"b","weight":0,"values":{"f":{"x":5}}}]}]
        """

    @Test("a forced variant is everybody's, also in reads; one that is not there is as if it were not forced")
    func forced() async throws {
        shop.publish(1, #"{"f":{"variables":{"x":{"value":1}}}}"#, experiments: Self.experiments)
        let setup = try await shop.start()
        let context = FeatureContext(userID: "u")
        #expect(setup.experiments.variant(of: "e", default: "d", for: context).variant == "a")
        #expect(setup.features.value("f", variable: "x", default: 0, for: context) == 1)
        try setup.features.overrides.force("b", of: "e")
        let assignment = setup.experiments.variant(of: "e", default: "d", for: context)
        #expect(assignment.variant == "b")
        #expect(assignment.reason == .forced)
        #expect(setup.features.value("f", variable: "x", default: 0, for: context) == 5)
        try setup.features.overrides.force("nobody", of: "e")
        #expect(setup.experiments.variant(of: "e", default: "d", for: context).variant == "a")
        try setup.features.overrides.force(nil, of: "e")
        #expect(setup.experiments.variant(of: "e", default: "d", for: context).reason == .sticky)
        await setup.shutdown(timeout: .zero)
    }

    @Test("processes that share a file keep each other's overrides, and see them when they reload")
    func shared() async throws {
        shop.publish(1, "{}")
        let (first, second) = (try await start(), try await start())
        try first.features.overrides.set(1, for: "f", variable: "x")
        try second.features.overrides.set(2, for: "f", variable: "y")
        #expect(first.features.value("f", variable: "y", default: 0) == 0)
        first.features.reload()
        #expect(first.features.value("f", variable: "x", default: 0) == 1)
        #expect(first.features.value("f", variable: "y", default: 0) == 2)
        await first.shutdown(timeout: .zero)
        await second.shutdown(timeout: .zero)
    }

    @Test("a file that cannot be written is an error that says so, and the override is in effect all the same")
    func unwritable() async throws {
        shop.publish(1, "{}")
        let file = shop.service.directory.file("etc")
        try Array("a file, and no directory".utf8).write(to: file)
        let setup = try await start()
        let error = try #require(throws: FeatureError.self) {
            try setup.features.overrides.set(1, for: "f", variable: "x")
        }
        #expect(error.code == .notKept)
        #expect("\(error)".hasPrefix("f.x: the override is in effect, but ends with the process: cannot"))
        #expect(setup.features.value("f", variable: "x", default: 0) == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a file that is wrong is a warning with the place, and is set aside by the next override")
    func damaged() async throws {
        shop.publish(1, "{}")
        try FileManager.default.createDirectory(
            atPath: shop.service.directory.file("etc"), withIntermediateDirectories: true)
        try Array(#"{"features":{"f":{"variables":{"x":{"value":1},"y":{}}}}}"#.utf8).write(to: path)
        let setup = try await shop.start(default: #"{"f":{"enabled":true}}"#) { $0.features.overridesFile = path }
        let warning = try #require(shop.service.updates[0].warnings.first { $0.place == "overrides" })
        #expect(warning.reason.contains("features.f.variables.y: required key 'value' is missing"))
        #expect(setup.features.value("f", variable: "x", default: 0) == 0)
        try setup.features.overrides.set(2, for: "f", variable: "x")
        #expect(FileManager.default.fileExists(atPath: "\(path).unusable"))
        #expect(shop.service.log.records.contains { $0.level == .warning && $0.message.contains("was set aside as") })
        setup.features.reload()
        #expect(setup.features.value("f", variable: "x", default: 0) == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a file that is wrong and cannot be set aside stays as it is, and the override is not kept")
    func notSetAside() async throws {
        shop.publish(1, "{}")
        let text = "no JSON"
        try FileManager.default.createDirectory(
            atPath: shop.service.directory.file("etc/overrides.json.unusable"), withIntermediateDirectories: true)
        try Array(text.utf8).write(to: path)
        let setup = try await start()
        let error = try #require(throws: FeatureError.self) {
            try setup.features.overrides.set(1, for: "f", variable: "x")
        }
        #expect(error.code == .notKept)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(setup.features.value("f", variable: "x", default: 0) == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("rules in the file are a warning, and the rest of it is in effect")
    func ruled() async throws {
        let file = shop.service.directory.file("overrides.json")
        let rules = #"[{"id":"r","enabled":true}]"#
        try Array(#"{"features":{"f":{"rules":\#(rules),"variables":{"x":{"value":2}}}}}"#.utf8).write(to: file)
        let setup = try await shop.start { $0.features.overridesFile = file }
        #expect(setup.features.value("f", variable: "x", default: 0) == 2)
        let warnings = shop.service.updates[0].warnings.filter { $0.place == "overrides" }.map(\.reason)
        #expect(warnings == ["features.f.rules: overrides have no rules; ignored"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a value that JSON cannot hold is an error and changes nothing")
    func notFinite() async throws {
        shop.publish(1, "{}")
        let setup = try await shop.start()
        for value in [Double.nan, .infinity] {
            let error = try #require(throws: FeatureError.self) {
                try setup.features.overrides.set(value, for: "f", variable: "x")
            }
            #expect(error.code == .notEncodable)
        }
        #expect(throws: FeatureError.self) {
            try setup.features.overrides.set(JSONValue.double(.nan), for: "f", variable: "x")
        }
        #expect(setup.features.explain("f", variable: "x").source == .fallback)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an override that its file calls encrypted is decrypted, and stays encrypted in the file")
    func encrypted() async throws {
        let file = shop.service.directory.file("overrides.json")
        try Array(#"{"features":{"f":{"variables":{"x":{"value":"terces","encrypted":true}}}}}"#.utf8).write(to: file)
        let blind = try await shop.start { $0.features.overridesFile = file }
        #expect(blind.features.value("f", variable: "x", default: "d") == "d")
        #expect(blind.features.detail("f", variable: "x", default: "d").error?.code == .encrypted)
        try blind.features.overrides.set(1, for: "f", variable: "y")
        await blind.shutdown(timeout: .zero)
        let setup = try await shop.start { options in
            options.features.overridesFile = file
            options.features.decrypt = { .string(String($0.ciphertext.reversed())) }
        }
        #expect(setup.features.value("f", variable: "x", default: "d") == "secret")
        #expect(setup.features.explain("f", variable: "x").value == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a value that is nested too deeply for the file is refused, and what is as deep as can be survives a restart")
    func nested() async throws {
        func list(_ levels: Int) -> JSONValue { (0..<levels).reduce(1) { value, _ in .array([value]) } }
        shop.publish(1, "{}")
        let first = try await start()
        try first.features.overrides.set(list(120), for: "f", variable: "deep")
        for value in [list(121), list(1000)] {
            let error = #expect(throws: FeatureError.self) {
                try first.features.overrides.set(value, for: "f", variable: "x")
            }
            #expect(error?.code == .notEncodable)
        }
        #expect(throws: FeatureError.self) {
            try first.features.overrides.set(["a": list(120)], for: "f", variable: "x")
        }
        await first.shutdown(timeout: .zero)
        let second = try await start()
        #expect(second.features.value("f", variable: "deep", default: .null) == list(120))
        await second.shutdown(timeout: .zero)
    }
}
