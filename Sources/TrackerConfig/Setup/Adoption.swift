/// Which configuration is used: decisions about versions, apart from all I/O.
enum Adoption: Equatable {
    /// The document is used.
    case adopted
    /// It has the version that is in use; `isOtherContent` where it is not the same document for all that.
    case unchanged(isOtherContent: Bool)
    /// It has a lower version.
    case stale

    /// What is in use.
    struct Active: Sendable, Equatable {
        /// The version; nil is lower than every document's.
        var version: Int?
        /// The document's digest; nil for a default.
        var digest: UInt64?
    }

    /// Whether a service starts with its cached document and not with its default: only with a higher version.
    static func startsCached(_ cached: Int, defaultVersion: Int?) -> Bool {
        isHigher(cached, than: defaultVersion)
    }

    /// Judges a fetched document.
    /// - Parameters:
    ///   - version: The document's.
    ///   - digest: The document's.
    ///   - active: What is in use, nil for nothing.
    ///   - defaultVersion: The default's, whether it is in use or not.
    /// - Returns: What is to be done with it.
    static func judge(version: Int, digest: UInt64, active: Active?, defaultVersion: Int?) -> Adoption {
        if let active, active.version == version {
            return .unchanged(isOtherContent: active.digest.map { $0 != digest } ?? false)
        }
        guard isHigher(version, than: active?.version), isHigher(version, than: defaultVersion) else {
            return version == defaultVersion ? .unchanged(isOtherContent: false) : .stale
        }
        return .adopted
    }

    private static func isHigher(_ version: Int, than other: Int?) -> Bool {
        other.map { version > $0 } ?? true
    }
}
