/// Why a document that could be used is held back.
package struct HoldReason: Sendable, Equatable {
    /// What the reason is about.
    package enum Kind: Sendable, Equatable {
        /// The document is rolled out to other instances: normal in the life of a canary.
        case notSelected
        /// Its processes vanish soon after they applied it.
        case crashes
        /// Its content was reverted.
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
    var logLevel: LogLevel {
        switch kind {
        case .notSelected: .info
        case .crashes, .reverted, .unmetRequirement: .warning
        }
    }
}
