/// Which configuration is used: decisions about versions, apart from all I/O.
package enum VersionDecision: Equatable, Sendable {
    /// The document is used.
    case apply
    /// It has the version that is in use; `isOtherContent` if its content differs nevertheless.
    case unchanged(isOtherContent: Bool)
    /// It has a lower version.
    case stale
    /// It would be used, but not by this process or not now, for this reason.
    case held(HoldReason)

    /// Whether the document is another one than an old one or the one in use.
    var isNews: Bool {
        switch self {
        case .apply, .held: true
        case .unchanged, .stale: false
        }
    }

    /// What is in use.
    package struct Active: Sendable, Equatable {
        /// The version; nil is lower than every document's.
        package var version: Int?
        /// The document's digest; nil for a default.
        package var digest: UInt64?

        package init(version: Int?, digest: UInt64?) {
            self.version = version
            self.digest = digest
        }
    }

    /// Whether a service starts with its cached document and not with its default: only with a higher version.
    package static func startsCached(_ cached: Int, defaultVersion: Int?) -> Bool {
        isHigher(cached, than: defaultVersion)
    }

    /// Judges a fetched document.
    /// - Parameters:
    ///   - version: The document's.
    ///   - digest: The document's.
    ///   - active: What is in use, nil for nothing.
    ///   - defaultVersion: The default's, whether it is in use or not.
    ///   - objection: Why a version that could be used is held back; nil if it is not.
    /// - Returns: What is to be done with it.
    package static func judge(
        version: Int, digest: UInt64, active: Active?, defaultVersion: Int?, objection: HoldReason? = nil
    ) -> VersionDecision {
        if let active, active.version == version {
            return .unchanged(isOtherContent: active.digest.map { $0 != digest } ?? false)
        }
        guard isHigher(version, than: active?.version), isHigher(version, than: defaultVersion) else {
            return version == defaultVersion ? .unchanged(isOtherContent: false) : .stale
        }
        return objection.map { .held($0) } ?? .apply
    }

    private static func isHigher(_ version: Int, than other: Int?) -> Bool {
        other.map { version > $0 } ?? true
    }
}

/// Why a document that could be used is held back.
package struct HoldReason: Sendable, Equatable {
    /// What the reason is about.
    package enum Kind: Sendable, Equatable {
        /// The document is rolled out to other instances: normal in the life of a canary.
        case notSelected
        /// Its processes ended soon after they applied it.
        case crashes
        /// It was reverted.
        case reverted
        /// It needs a newer version of the SDK.
        case unmetRequirement
    }

    /// What the reason is about.
    package let kind: Kind

    /// The reason, as a sentence.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        (self.kind, self.reason) = (kind, reason)
    }

    /// How severe it is in the log.
    var logLevel: LogLevel { kind == .notSelected ? .info : .warning }
}
