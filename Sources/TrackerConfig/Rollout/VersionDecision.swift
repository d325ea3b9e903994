/// A decision about the version of a document, made without I/O.
package enum VersionDecision: Equatable, Sendable {
    /// The document is applied.
    case apply
    /// Its version is in use already; `isOtherContent` if the content differs nevertheless.
    case unchanged(isOtherContent: Bool)
    /// Its version is lower than this one.
    case stale(newest: Int)
    /// It is held back for this reason.
    case held(HoldReason)

    /// Decides on a fetched document.
    /// - Parameters:
    ///   - document: The document.
    ///   - active: The version in use, and the digest of its document; nil if there is none.
    ///   - defaultVersion: The default's version, whether it is in use or not; nil is lower than every document's
    ///     version.
    ///   - holdReason: The reason to hold an applicable version back; nil if there is none.
    package init(
        on document: Document, over active: (version: Int?, digest: UInt64?)?, defaultVersion: Int?,
        holdReason: HoldReason? = nil
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
            self = holdReason.map { .held($0) } ?? .apply
        }
    }
}

/// The reason why an applicable document is held back.
package struct HoldReason: Sendable, Hashable {
    /// The kind of reason.
    package enum Kind: Sendable, Hashable {
        /// The document is rolled out to other instances, as is normal for a canary.
        case notSelected
        /// Its processes crashed soon after they applied it.
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

    /// Whether it is a problem rather than a normal part of a rollout.
    var isTrouble: Bool { kind != .notSelected }
}
