import Foundation
import TrackerConfig

/// A service that reads its settings by generated properties. The file from which they are generated is its default
/// document too: what no document defines has the file's values and rules.
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
        let defaults = try Document(default: PackageResources.Settings_features_json)
        let setup = try Setup(
            remote: RemoteConfiguration(endpoint: file.absoluteString), default: defaults, version: 0, options: options)
        let settings = Settings(setup.features)
        _ = await setup.refresh()
        print("version 1: \(sentence(settings))")

        try RemoteDocument.second.write(to: file, atomically: true, encoding: .utf8)
        print(await setup.refresh())
        print("version 2: \(sentence(settings))")
        let staff = settings(for: FeatureContext(units: [:], attributes: ["staff": true]))
        print("newCheckout: \(settings.newCheckout.isEnabled), for staff: \(staff.newCheckout.isEnabled)")
        setup.track(Structured(category: "cart", action: "add"), to: "orders")
        print("untracked: \(setup.status.untracked)")
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
