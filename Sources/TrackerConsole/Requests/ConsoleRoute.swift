import TrackerConfig

/// What a request asks of a ``WebConsole``.
enum ConsoleRoute: Equatable {
    case page
    /// To the same with a slash at its end, from which the page's relative URLs lead on.
    case redirect(String)
    case view(View)
    case live
    case stream
    case assignments
    /// Why a context gets a value.
    case explanation
    /// Whether the service can work; `?strict` also counts trackers that fail.
    case health
    case metrics
    case status
    case configuration
    /// Of one flag, or of all without a key (OpenFeature Remote Evaluation Protocol).
    case flags(key: String?)
    /// When to evaluate flags again (the same protocol).
    case flagEvents
    case change(Change)

    /// A section of the page.
    enum View: String, CaseIterable {
        case overview, trackers, features, experiments, difference
    }

    /// Something to do.
    enum Change: Equatable {
        case refresh
        case setEnabled(feature: String)
        case resetEnabled(feature: String)
        case setVariable(VariableKey)
        case resetVariable(VariableKey)
        case force(experiment: String)
        case stopForcing(experiment: String)
        case removeOverrides
        /// A version that is held back because of its processes.
        case release(version: Int)
    }

    /// Reads a method and a path.
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path with the query.
    ///   - mount: Where the console is, without a slash at its end.
    /// - Throws: If the path is unknown, or does not allow this method.
    init(_ method: String, _ path: String, mount: String) throws(ConsoleError) {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix(mount) else { throw Self.unknown(mount) }
        let rest = path.dropFirst(mount.count)
        if rest.isEmpty, let last = mount.split(separator: "/").last {
            self = .redirect("\(last)/")
            return
        }
        guard rest.hasPrefix("/") else { throw Self.unknown(mount) }
        var segments: [String] = []
        for segment in rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = segment.percentDecoded else { throw Self.unknown(mount) }
            segments.append(segment)
        }
        let choices = Self.choices(segments)
        guard !choices.isEmpty else { throw Self.unknown(mount) }
        let wanted = method == "HEAD" ? "GET" : method
        guard let choice = choices.first(where: { $0.method == wanted }) else {
            throw .notAllowed(choices.map(\.method).joined(separator: ", "))
        }
        self = choice.route
    }

    private static func unknown(_ mount: String) -> ConsoleError {
        ConsoleError(404, "the console has nothing here; it is mounted at \(mount)/")
    }

    private static func choices(_ segments: [String]) -> [(method: String, route: ConsoleRoute)] {
        switch segments.count {
        case 1:
            if let view = View(rawValue: segments[0]) { return [("GET", .view(view))] }
            switch segments[0] {
            case "": return [("GET", .page)]
            case "live": return [("GET", .live)]
            case "stream": return [("GET", .stream)]
            case "assignments": return [("POST", .assignments)]
            case "explanation": return [("POST", .explanation)]
            case "health": return [("GET", .health)]
            case "metrics": return [("GET", .metrics)]
            case "status": return [("GET", .status)]
            case "configuration": return [("GET", .configuration)]
            case "refresh": return [("POST", .change(.refresh))]
            case "overrides": return [("DELETE", .change(.removeOverrides))]
            default: return []
            }
        case 3 where segments[0] == "features" && segments[2] == "enabled":
            return [
                ("PUT", .change(.setEnabled(feature: segments[1]))),
                ("DELETE", .change(.resetEnabled(feature: segments[1]))),
            ]
        case 3 where segments[0] == "experiments" && segments[2] == "variant":
            return [
                ("PUT", .change(.force(experiment: segments[1]))),
                ("DELETE", .change(.stopForcing(experiment: segments[1]))),
            ]
        case 3 where segments[0] == "versions" && segments[2] == "release":
            return Int(segments[1]).map { [("POST", .change(.release(version: $0)))] } ?? []
        case 4 where segments[0] == "features" && segments[2] == "variables":
            let key = VariableKey(segments[1], segments[3])
            return [("PUT", .change(.setVariable(key))), ("DELETE", .change(.resetVariable(key)))]
        case 4 where segments == flagPath: return [("POST", .flags(key: nil))]
        case 5... where segments.starts(with: flagPath):
            // Some clients do not encode a key's slashes.
            return [("POST", .flags(key: segments.dropFirst(4).joined(separator: "/")))]
        case 3 where segments == ["ofrep", "v1", "events"]: return [("GET", .flagEvents)]
        default: return []
        }
    }

    /// Where the protocol of remote evaluation has flags.
    private static let flagPath = ["ofrep", "v1", "evaluate", "flags"]
}
