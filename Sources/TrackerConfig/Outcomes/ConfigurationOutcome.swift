public import TrackerFeatures

/// The outcome of a fetch.
///
/// ```swift
/// let outcome = await setup.refresh()
/// if outcome.kind == .rejected { metrics.increment("document_rejected") }
/// print(outcome)      // version 4 was applied to shop
/// ```
public struct ConfigurationOutcome: Sendable, Hashable {
    /// The kind of outcome.
    public let kind: NamedCode<ConfigurationOutcome>

    /// The version of the document; nil if there is none, or if it could not be read.
    public private(set) var version: Int?

    /// The namespaces to which the document was applied; empty if it was not applied.
    public private(set) var namespaces: [String] = []

    /// Whether the content differs from the document in use although the version is the same, which is a mistake of its
    /// author.
    public private(set) var isOtherContent: Bool = false

    /// The reason why the document is ignored, held back, rejected or missing, as a sentence; nil for the other kinds.
    public private(set) var reason: String?

    /// The error of a rejected document; nil for the other kinds.
    public private(set) var configurationError: ConfigurationError?

    /// The error of a failed fetch; nil for the other kinds.
    public private(set) var fetchError: FetchError?

    /// The author in the document's `meta`; nil if it names none.
    var author: String?

    /// The reason why the setup holds the document back; nil for other outcomes.
    private(set) var holdReason: HoldReason?
}

/// The kinds of outcome, and of other changes in a status.
extension NamedCode<ConfigurationOutcome> {
    /// The document was applied.
    public static var applied: Self { Self(rawValue: "applied") }

    /// The server reports that the document has not changed.
    public static var notModified: Self { Self(rawValue: "notModified") }

    /// The document's version is already in use.
    public static var unchanged: Self { Self(rawValue: "unchanged") }

    /// The document has a lower version than the one in use or the default.
    public static var stale: Self { Self(rawValue: "stale") }

    /// The document is newer, but is not applied by this process or at this time.
    public static var held: Self { Self(rawValue: "held") }

    /// The document cannot be used.
    public static var rejected: Self { Self(rawValue: "rejected") }

    /// There is no document.
    public static var failed: Self { Self(rawValue: "failed") }

    /// A version was rolled back.
    public static var reverted: Self { Self(rawValue: "reverted") }

    /// A failing version stays in use, because its rollback target cannot be applied.
    public static var rollbackFailed: Self { Self(rawValue: "rollbackFailed") }

    /// An override was set, or a variant forced.
    public static var overrideSet: Self { Self(rawValue: "overrideSet") }

    /// An override got another value, author, reason or expiry.
    public static var overrideChanged: Self { Self(rawValue: "overrideChanged") }

    /// An override was removed.
    public static var overrideRemoved: Self { Self(rawValue: "overrideRemoved") }

    /// An override has expired.
    public static var overrideExpired: Self { Self(rawValue: "overrideExpired") }
}

extension ConfigurationOutcome {
    /// The document was applied.
    /// - Parameters:
    ///   - version: The document's version.
    ///   - namespaces: The namespaces of its trackers.
    /// - Returns: The outcome.
    public static func applied(version: Int, namespaces: [String]) -> ConfigurationOutcome {
        ConfigurationOutcome(kind: .applied, version: version, namespaces: namespaces)
    }

    /// The server reports that the document has not changed.
    public static let notModified = ConfigurationOutcome(kind: .notModified)

    /// Creates the outcome of a document whose version is already in use.
    /// - Parameters:
    ///   - version: The document's version.
    ///   - isOtherContent: Whether its content was changed without a new version.
    /// - Returns: The outcome.
    public static func unchanged(version: Int, isOtherContent: Bool) -> ConfigurationOutcome {
        ConfigurationOutcome(kind: .unchanged, version: version, isOtherContent: isOtherContent)
    }

    /// Creates the outcome of a document with a lower version than the one in use or the default.
    package static func stale(version: Int, newest: Int?) -> ConfigurationOutcome {
        let newest = newest.map { "version \($0)" } ?? "a version that is in use"
        return ConfigurationOutcome(kind: .stale, version: version, reason: "\(newest) is newer")
    }

    /// The document is held back.
    package static func held(_ reason: HoldReason, version: Int) -> ConfigurationOutcome {
        ConfigurationOutcome(kind: .held, version: version, reason: reason.reason, holdReason: reason)
    }

    /// The document cannot be used.
    /// - Parameter error: The error, with the document's version if that could be read.
    /// - Returns: The outcome.
    public static func rejected(_ error: ConfigurationError) -> ConfigurationOutcome {
        var outcome = ConfigurationOutcome(
            kind: .rejected, version: error.version, reason: error.description, configurationError: error)
        outcome.author = error.author
        return outcome
    }

    /// There is no document.
    /// - Parameter error: The error.
    /// - Returns: The outcome.
    public static func failed(_ error: FetchError) -> ConfigurationOutcome {
        ConfigurationOutcome(kind: .failed, reason: error.description, fetchError: error)
    }

    /// The severity of the outcome in the log. A canary for other instances and a shutdown are normal; a document that
    /// needs a newer SDK, crashed its processes or was reverted is not.
    var logLevel: LogLevel {
        switch kind {
        case .rejected: .error
        case .failed: fetchError?.code == .shutDown ? .debug : .warning
        case .unchanged where isOtherContent: .warning
        case .held where holdReason?.isTrouble == true: .warning
        case .applied, .held, .stale: .info
        default: .debug
        }
    }

    /// Whether the document is held back because it was reverted or its processes crashed.
    var isHeldAsReverted: Bool { holdReason?.kind == .reverted || holdReason?.kind == .crashes }

    /// Whether the operator should act on it.
    var needsAttention: Bool { logLevel <= .warning }

    /// The outcome of a fetch that ended because of a shutdown.
    static var shutDown: ConfigurationOutcome {
        .failed(FetchError(.shutDown, reason: "the setup was shut down"))
    }
}

extension ConfigurationOutcome: CustomStringConvertible {
    /// The outcome as a sentence.
    public var description: String {
        let subject = version.map { "version \($0)" } ?? "the document"
        return switch kind {
        case .applied where namespaces.isEmpty: "\(subject) was applied; it has no trackers"
        case .applied: "\(subject) was applied to \(listed(namespaces))"
        case .notModified: "the document has not changed"
        case .unchanged where isOtherContent:
            "\(subject) is in use already, but the document was changed without its version"
        case .unchanged: "\(subject) is in use already"
        case .stale: "\(subject) was ignored: \(reason ?? "")"
        case .held: "\(subject) is held back: \(reason ?? "")"
        case .rejected: "\(subject) was rejected: \(reason ?? "")"
        default: fetchError?.url == nil ? "cannot fetch the document: \(reason ?? "")" : reason ?? ""
        }
    }
}
