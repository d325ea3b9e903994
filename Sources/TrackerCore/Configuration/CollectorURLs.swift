/// The collectors of trackers, each URL read once: most trackers of a document share a few.
package final class CollectorURLs {
    private var known: [ExactText: [EndpointURL]] = [:]

    package init() {}

    /// The collectors of a tracker: the endpoint, then those to fall back to.
    /// - Parameter network: The tracker's network settings.
    /// - Returns: The collectors, in order.
    /// - Throws: An error if the endpoint is missing or a URL cannot be used.
    func collectors(of network: NetworkConfiguration) throws(ConfigurationError) -> [EndpointURL] {
        guard let endpoint = network.endpoint else {
            throw ConfigurationError(
                .missingValue, place: "network.endpoint", reason: "a tracker needs a collector's URL")
        }
        let fallbacks = network.fallbackEndpoints ?? []
        if fallbacks.isEmpty, let known = known[exactly: endpoint] { return known }
        var collectors = [try Self.collector(endpoint, "network.endpoint")]
        if fallbacks.isEmpty { known[exactly: endpoint] = collectors }
        for (index, text) in fallbacks.enumerated() {
            collectors.append(try Self.collector(text, "network.fallbackEndpoints[\(index)]"))
        }
        return collectors
    }

    private static func collector(
        _ text: String, _ place: @autoclosure () -> String
    ) throws(ConfigurationError) -> EndpointURL {
        do throws(ConfigurationError) {
            return try EndpointURL(collector: text)
        } catch {
            throw ConfigurationError(error.code, place: place(), reason: error.reason)
        }
    }
}
