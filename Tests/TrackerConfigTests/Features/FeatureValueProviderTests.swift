import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// The providers that come with the SDK.
@Suite("Providers of features", .endsWhenItHangs)
struct FeatureProviderTests {
    private let directory = TemporaryDirectory()
    private let log = MemoryLog()
    private var path: String { directory.file("features.json") }

    private func features(_ provider: any FeatureValueProvider, default document: String = "{}") throws -> Features {
        var options = FeatureOptions()
        options.providers = [provider]
        return try Features(document, options: options, log: log)
    }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    @Test("a file of 64 MiB is read, and a larger one is not", arguments: [0, 1])
    func boundsFile(excess: Int) throws {
        try write("?")
        #expect(truncate(path, off_t((64 << 20) + excess)) == 0)
        let error = #expect(throws: (any Error).self) { try JSONFileProvider(path: path).load() }
        #expect((error is FileError) == (excess > 0))
        #expect((error is ConfigurationError) == (excess == 0))
    }

    @Test("a file gives features, is looked at again at each reload, and a wrong one changes nothing")
    func file() throws {
        let features = try features(JSONFileProvider(path: path, name: "mounted"))
        #expect(features.value("f", variable: "x", default: 0) == 0)
        try write(#"{"features":{"f":{"variables":{"x":{"value":1}}}}}"#)
        features.reload()
        #expect(features.detail("f", variable: "x", default: 0).source == .provider("mounted"))
        #expect(features.value("f", variable: "x", default: 0) == 1)
        try write(#"{"features":{"f":{"variables":{"x":{}}}}}"#)
        features.reload()
        #expect(features.value("f", variable: "x", default: 0) == 1)
        #expect(log.contains("features.f.variables.x: required key 'value' is missing"))
        // A whole document will do.
        try write(FeatureService.document(1, #"{"f":{"variables":{"x":{"value":3}}}}"#))
        features.reload()
        #expect(features.value("f", variable: "x", default: 0) == 3)
    }

    @Test("a file that is looked at by itself is followed through a symbolic link that is swapped, as in a ConfigMap")
    func followed() async throws {
        let time = ManualTime()
        for version in 1...2 {
            let path = directory.file("version-\(version)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Array(#"{"features":{"f":{"variables":{"x":{"value":\#(version)}}}}}"#.utf8).write(
                to: "\(path)/features.json")
        }
        // The file's own link stays as it is, and the directory that it leads through is swapped.
        let (link, data) = (path, directory.file("..data"))
        try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: "version-1")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "..data/features.json")
        let features = try features(JSONFileProvider(path: link, every: .seconds(10), time: time))
        var changes = features.changes(of: "f", variable: "x", as: Int.self).makeAsyncIterator()
        #expect(await changes.next()?.new == 1)
        await time.waitForSleep(in: .seconds(10) ... .seconds(10))
        try FileManager.default.createSymbolicLink(atPath: "\(data).new", withDestinationPath: "version-2")
        try #require(rename("\(data).new", data) == 0)
        time.advance(by: .seconds(10))
        #expect(await changes.next().map { [$0.old, $0.new] } == [1, 2])
        withExtendedLifetime(features) {}
    }

    @Test("a document that requires what this version does not have is not used as a file either")
    func requirement() throws {
        let provider = JSONFileProvider(path: path)
        let features = try features(provider)
        for (ability, value) in [("rules", 1), ("telepathy", 2)] {
            try write(#"{"requires":["\#(ability)"],"features":{"f":{"variables":{"x":{"value":\#(value)}}}}}"#)
            features.reload()
            #expect(features.value("f", variable: "x", default: 0) == 1)
        }
        #expect(log.contains("the document requires 'telepathy'"))
    }

    @Test("a change of the file right after somebody asked for changes is one")
    func earlyChange() async throws {
        let time = ManualTime()
        let changes = JSONFileProvider(path: path, every: .seconds(10), time: time).changes
        try write("{}")
        async let change: Void? = changes.first { _ in true }
        await time.waitForSleep(in: .seconds(10) ... .seconds(10))
        time.advance(by: .seconds(10))
        #expect(await change != nil)
    }
}
