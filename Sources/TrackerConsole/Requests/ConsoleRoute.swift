import TrackerConfig

/// The resource or action of a request to a ``WebConsole``.
enum ConsoleRoute: Equatable {
    case page
    /// A redirect to the same path with a slash at its end, which the page's relative URLs need.
    case redirect(String)
    case live
    case stream
    /// The settings of a tracker.
    case trackers
    case features
    case difference
    case assignments
    /// The explanation of a value.
    case explanation
    /// Whether the service can work; `?strict` also considers failing trackers.
    case health
    case metrics
    case status
    case configuration
    /// The evaluation of one flag, or of all flags if the key is nil (OpenFeature Remote Evaluation Protocol).
    case flags(key: String?)
    /// Events for clients to evaluate flags again (the same protocol).
    case flagEvents
    case change(Change)

    /// An action.
    enum Change: Equatable {
        case refresh
        case set(FeatureOverride)
        case remove(FeatureOverride)
        case removeAll
        /// Releases a version that is held back because of crashes.
        case release(version: Int)
    }

    /// Parses a method and a path.
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path with the query.
    ///   - mount: The path of the console, without a slash at its end.
    /// - Throws: If the path is unknown, or does not allow this method.
    init(_ method: String, _ path: String, mount: String) throws(ConsoleError) {
        let unknown = ConsoleError(404, "the console has nothing here; it is mounted at \(mount)/")
        let path = path.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix(mount) else { throw unknown }
        let rest = path.dropFirst(mount.count)
        if rest.isEmpty, let last = mount.split(separator: "/").last {
            self = .redirect("\(last)/")
            return
        }
        guard rest.hasPrefix("/") else { throw unknown }
        let encoded = rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let segments = encoded.compactMap(\.percentDecoded)
        guard segments.count == encoded.count else { throw unknown }
        let choices = Self.choices(segments)
        guard !choices.isEmpty else { throw unknown }
        let wanted = method == "HEAD" ? "GET" : method
        guard let choice = choices.first(where: { $0.method == wanted }) else {
            throw .notAllowed(choices.map(\.method).joined(separator: ", "))
        }
        self = choice.route
    }

    /// The routes of paths with one segment.
    private static let single: [String: (method: String, route: ConsoleRoute)] = [
        "": ("GET", .page), "live": ("GET", .live), "stream": ("GET", .stream), "trackers": ("GET", .trackers),
        "features": ("GET", .features), "difference": ("GET", .difference), "assignments": ("POST", .assignments),
        "explanation": ("POST", .explanation), "health": ("GET", .health), "metrics": ("GET", .metrics),
        "status": ("GET", .status), "configuration": ("GET", .configuration), "refresh": ("POST", .change(.refresh)),
        "overrides": ("DELETE", .change(.removeAll)),
    ]

    /// The path of flags in the protocol of remote evaluation.
    private static let flagPath = ["ofrep", "v1", "evaluate", "flags"]

    private static func choices(_ segments: [String]) -> [(method: String, route: ConsoleRoute)] {
        func override(_ override: FeatureOverride) -> [(method: String, route: ConsoleRoute)] {
            [("PUT", .change(.set(override))), ("DELETE", .change(.remove(override)))]
        }
        switch (segments.count, segments[0], segments.count > 2 ? segments[2] : "") {
        case (1, let name, _): return single[name].map { [$0] } ?? []
        case (3, "features", "enabled"): return override(FeatureOverride(feature: segments[1]))
        case (4, "features", "variables"):
            return override(FeatureOverride(feature: segments[1], variable: segments[3]))
        case (3, "experiments", "variant"): return override(FeatureOverride(experiment: segments[1]))
        case (3, "versions", "release"):
            return Int(segments[1]).map { [("POST", .change(.release(version: $0)))] } ?? []
        case (3, "ofrep", "events") where segments[1] == "v1": return [("GET", .flagEvents)]
        case (4..., _, _) where segments.starts(with: flagPath):
            // Some clients do not encode a key's slashes.
            let key = segments.dropFirst(4).joined(separator: "/")
            return [("POST", .flags(key: segments.count == 4 ? nil : key))]
        default: return []
        }
    }
}
