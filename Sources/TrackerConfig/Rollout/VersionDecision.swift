/// Which configuration is used: decisions about versions, apart from all I/O.
package enum VersionDecision: Equatable, Sendable {
    /// The document is used.
    case apply
    /// It has the version that is in use; `isOtherContent` if its content differs nevertheless.
    case unchanged(isOtherContent: Bool)
    /// It has a lower version than this one.
    case stale(newest: Int)
    /// It would be used, but not by this process or not now, for this reason.
    case held(HoldReason)

    /// Decides on a fetched document.
    /// - Parameters:
    ///   - document: The document.
    ///   - active: The version in use, and the digest of its document; nil for nothing.
    ///   - defaultVersion: The default's, whether it is in use or not; nil is lower than every document's.
    ///   - objection: Why a version that could be used is held back; nil if it is not.
    package init(
        on document: Document, over active: (version: Int?, digest: UInt64?)?, defaultVersion: Int?,
        objection: HoldReason? = nil
    ) {
        let version = document.version
        let newest = [active?.version, defaultVersion].compactMap(\.self).max() ?? -1
        if let active, active.version == version {
            self = .unchanged(isOtherContent: active.digest.map { $0 != document.digest } ?? false)
        } else if version == defaultVersion {
            self = .unchanged(isOtherContent: false)
        } else if version < newest {
            self = .stale(newest: newest)
        } else {
            self = objection.map { .held($0) } ?? .apply
        }
    }
}

/// Why a document that could be used is held back.
package struct HoldReason: Sendable, Hashable {
    /// What the reason is about.
    package enum Kind: Sendable, Hashable {
        /// The document is rolled out to other instances: normal in the life of a canary.
        case notSelected
        /// Its processes ended soon after they applied it.
        case crashes
        /// It was reverted.
        case reverted
        /// It needs a newer version of the SDK.
        case unmetRequirement
    }

    package let kind: Kind

    /// The reason, as a sentence.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        (self.kind, self.reason) = (kind, reason)
    }

    /// Whether it is trouble, and no normal part of a rollout.
    var isTrouble: Bool { kind != .notSelected }
}
