/// The source of a value, from the highest in precedence to the lowest.
@nonexhaustive
public enum FeatureSource: Sendable, Hashable {
    /// An override of the read's context, see ``FeatureContext/overrides``.
    case request
    /// An override set at run time, see ``FeatureOverrides``.
    case override
    /// One of the service's own providers, by its name.
    case provider(String)
    /// The variant that an experiment gave to the unit.
    case experiment(id: String, variant: String)
    /// The remote document, by its version.
    case remote(version: Int)
    /// The default document.
    case `default`
    /// The caller's default, because no source has the value.
    case fallback
}

extension FeatureSource: CustomStringConvertible {
    /// The source as text: `remote, version 4`.
    public var description: String {
        switch self {
        case .request: "request"
        case .override: "override"
        case .provider(let name): "provider \(name)"
        case .experiment(let id, let variant): "experiment \(id), variant \(variant)"
        case .remote(let version): "remote, version \(version)"
        case .default: "default"
        case .fallback: "fallback"
        }
    }
}
