import Foundation
import TrackerConfig

/// A service that reads its settings by generated properties; what no document says has the value of the file from which
/// they are generated.
@main
enum Example {
    static func main() async throws {
        let directory = URL(fileURLWithPath: NSTemporaryDirectory() + "accessors-example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "trackers.json")
        try RemoteDocument.first.write(to: file, atomically: true, encoding: .utf8)

        var options = SetupOptions()
        options.cache = MemoryCache()
        options.stateDirectory = directory.appending(path: "state").path
        let setup = try Setup(remote: RemoteConfiguration(endpoint: file.absoluteString), options: options)
        let settings = Settings(setup.features)
        _ = await setup.refresh()
        print("version 1: \(sentence(settings))")

        try RemoteDocument.second.write(to: file, atomically: true, encoding: .utf8)
        print(await setup.refresh())
        print("version 2: \(sentence(settings))")
        await setup.shutdown(timeout: .zero)
    }

    private static func sentence(_ settings: Settings) -> String {
        let (checkout, search) = (settings.checkout, settings.search)
        return """
            retryLimit \(checkout.retryLimit), countries \(checkout.countries.joined(separator: " ")), \
            express \(checkout.surcharges["express"] ?? nil), pageSize \(search.pageSize), default \(search.default), \
            apiKey \(checkout.apiKey ?? "nil"), search \(search.isEnabled ? "on" : "off")
            """
    }
}
