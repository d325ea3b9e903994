/// Where a value comes from, from the highest in priority to the lowest.
public enum FeatureSource: Sendable, Hashable {
    /// Set while the service runs, see ``FeatureOverrides``.
    case override
    /// A provider that the service brought, by its name.
    case provider(String)
    /// The variant that an experiment gave.
    case experiment(id: String, variant: String)
    /// The remote document, by its version.
    case remote(version: Int)
    /// The default document.
    case `default`
    /// None of them: what the caller gave for that case.
    case fallback
}

extension FeatureSource: CustomStringConvertible {
    /// The source in words: `remote, version 4`.
    public var description: String {
        switch self {
        case .override: "override"
        case .provider(let name): "provider \(name)"
        case .experiment(let id, let variant): "experiment \(id), variant \(variant)"
        case .remote(let version): "remote, version \(version)"
        case .default: "default"
        case .fallback: "fallback"
        }
    }
}
