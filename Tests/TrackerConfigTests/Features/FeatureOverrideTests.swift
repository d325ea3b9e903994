import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Overrides, in memory and on disk.
@Suite("Overrides", .endsWhenItHangs)
struct FeatureOverrideTests {
    private let directory = TemporaryDirectory()
    private let log = MemoryLog()
    private var path: String { directory.file("etc/overrides.json") }

    /// Starts over the file of overrides, as a process does.
    private func start(
        _ features: String = #"{"f":{"enabled":true,"variables":{"x":{"value":1}}}}"#
    ) throws -> Features {
        var options = FeatureOptions()
        options.overridesFile = path
        return try Features(features, experiments: Self.experiments, options: options, log: log)
    }

    private static let experiments = """
        [{"id":"e","variants":[{"name":"a","weight":1},{"name":"b","weight":0,"values":{"f":{"x":5}}}]}]
        """

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: directory.file("etc"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test("an override that is set to null is gone from the file, which stays good")
    func null() throws {
        let first = try start()
        try first.overrides.set(2, for: "f", variable: "x")
        try first.overrides.set(3, for: "f", variable: "kept")
        try first.overrides.set(4, for: "g", variable: "y")
        try first.overrides.set(JSONValue.null, for: "f", variable: "x")
        try first.overrides.set(Int?.none, for: "g", variable: "y")
        #expect(first.overrides.features.map(\.name) == ["f"])
        #expect(first.values(of: "g") == nil)
        let second = try start()
        #expect(second.detail("f", variable: "x", default: 0).source == .default)
        #expect(second.value("f", variable: "kept", default: 0) == 3)
    }

    @Test("a forced variant is everybody's, also in reads; one that is not there is as if it were not forced")
    func forced() throws {
        let features = try start()
        let context = FeatureContext(userID: "u")
        func read() -> [String] {
            let assignment = features.experiments.variant(of: "e", default: "d", for: context)
            let value = features.value("f", variable: "x", default: 0, for: context)
            return [assignment.variant, assignment.reason.rawValue, "\(value)"]
        }
        #expect(read() == ["a", "assigned", "1"])
        try features.overrides.force("b", of: "e")
        #expect(read() == ["b", "forced", "5"])
        for variant in ["nobody", nil] {
            try features.overrides.force(variant, of: "e")
            #expect(read() == ["a", "assigned", "1"])
        }
    }

    @Test("processes that share a file keep each other's overrides, and see them when they reload")
    func shared() throws {
        let (first, second) = (try start(), try start())
        try first.overrides.set(1, for: "f", variable: "x")
        try second.overrides.set(2, for: "f", variable: "y")
        #expect(first.value("f", variable: "y", default: 0) == 0)
        first.reload()
        #expect(first.value("f", variable: "x", default: 0) == 1)
        #expect(first.value("f", variable: "y", default: 0) == 2)
    }

    @Test(
        "a file that is wrong is a warning with the place, and is set aside by the next override",
        arguments: [
            (#""feature":"f","variable":"y""#, "[0]: required key 'value' is missing"),
            (#""feature":"f","value":1"#, "[0].value: expected a boolean, found a number"),
            (#""experiment":"e","value":true"#, "[0].value: expected a string, found a boolean"),
            (#""variable":"x","value":2"#, "[0]: expected a feature, a feature and its variable, or an experiment"),
            (#""feature":"f","value":true,"expiry":"6 pm""#, "[0].expiry: expected a date as 2026-01-31T12:00:00Z"),
            (#""feature":"f","value":true},{"feature":"f","value":false"#, "[1]: 'f.enabled' is overridden twice"),
        ])
    func damaged(override: String, sentence: String) throws {
        try write(#"{"overrides":[{\#(override)}]}"#)
        let features = try start()
        #expect(log.contains("\(path): overrides\(sentence)"), "\(log.records)")
        #expect(features.value("f", variable: "x", default: 0) == 1)
        try features.overrides.set(2, for: "f", variable: "x")
        #expect(try String(contentsOfFile: "\(path).unusable", encoding: .utf8).contains(override))
        #expect(log.records.contains { $0.level == .warning && $0.message.contains("was set aside as") })
        features.reload()
        #expect(features.value("f", variable: "x", default: 0) == 2)
    }

    @Test("a file that is wrong and cannot be set aside stays as it is, and the override is not kept")
    func notSetAside() throws {
        let former = #"{"features":{"f":{"enabled":false}}}"#
        try write(former)
        try FileManager.default.createDirectory(atPath: "\(path).unusable", withIntermediateDirectories: true)
        let features = try start()
        let error = try #require(throws: FeatureError.self) { try features.overrides.set(9, for: "f", variable: "x") }
        #expect(error.code == .notKept)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == former)
        #expect(log.contains("required key 'overrides' is missing"))
        #expect(features.value("f", variable: "x", default: 0) == 9)
    }

    @Test("a symbolic link stays one: what it leads to is read and written, also if that is not there yet")
    func link() throws {
        let files = FileManager.default
        try files.createDirectory(atPath: directory.file("etc"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: path, withDestinationPath: "../volume/now")
        try files.createDirectory(atPath: directory.file("volume"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: directory.file("volume/now"), withDestinationPath: "kept.json")
        let first = try start()
        try first.overrides.set(2, for: "f", variable: "x")
        let second = try start()
        #expect(second.value("f", variable: "x", default: 0) == 2)
        try second.overrides.setEnabled(false, for: "f")
        #expect(try files.destinationOfSymbolicLink(atPath: path) == "../volume/now")
        #expect(try files.destinationOfSymbolicLink(atPath: directory.file("volume/now")) == "kept.json")
        #expect(try files.contentsOfDirectory(atPath: directory.file("etc")) == ["overrides.json"])
        first.reload()
        #expect(!first.isEnabled("f"))
    }

    @Test("links that lead in circles are an error, and stay")
    func circle() throws {
        let files = FileManager.default
        try files.createDirectory(atPath: directory.file("etc"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: path, withDestinationPath: "overrides.json")
        let features = try start()
        #expect(log.contains("it is a symbolic link, which is not followed"))
        let error = try #require(throws: FeatureError.self) { try features.overrides.set(2, for: "f", variable: "x") }
        #expect(error.code == .notKept)
        #expect(features.value("f", variable: "x", default: 0) == 2)
        #expect(try files.destinationOfSymbolicLink(atPath: path) == "overrides.json")
    }

    @Test("a value that JSON cannot hold is an error and changes nothing")
    func notFinite() throws {
        let features = Features()
        for value in [JSONValue.double(.nan), .double(.infinity)] {
            let error = #expect(throws: FeatureError.self) {
                try features.overrides.set(value, for: "f", variable: "x")
            }
            #expect(error?.code == .notEncodable)
        }
        #expect(throws: FeatureError.self) { try features.overrides.set(Double.nan, for: "f", variable: "x") }
        #expect(features.explain("f", variable: "x").source == .fallback)
    }

    @Test("a value that is nested too deeply for the file is refused, and what is as deep as can be survives a restart")
    func nested() throws {
        func list(_ levels: Int) -> JSONValue { (0..<levels).reduce(1) { value, _ in .array([value]) } }
        let first = try start()
        try first.overrides.set(list(120), for: "f", variable: "deep")
        for value in [list(121), list(1000), ["a": list(120)]] as [JSONValue] {
            let error = #expect(throws: FeatureError.self) { try first.overrides.set(value, for: "f", variable: "x") }
            #expect(error?.code == .notEncodable)
        }
        #expect(try start().value("f", variable: "deep", default: .null) == list(120))
    }
}
