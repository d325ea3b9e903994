public import FoundationEssentials

/// What a source says over a connection of its own; see ``ConfigurationSource/signals()``.
///
/// ```swift
/// SourceSignal.changed(version: 9, published: publisher.time)
/// ```
public struct SourceSignal: Sendable {
    /// The kind of signal.
    public let kind: NamedCode<SourceSignal>

    /// The version of the document that has changed; nil if the source does not know it, and for other signals.
    public var version: Int?

    /// The tag of the document that has changed, as ``DocumentValidators/entityTag``; nil if the source does not know it, and for
    /// other signals.
    public var entityTag: String?

    /// The longest random wait of each process before it fetches, so that a fleet does not fetch at once: 0 s … 1 day, clamped. nil, the
    /// default, is 0 s up to 1,000 ``subscribers``, and above that a second for each 1,000.
    public var spread: Duration?

    /// The number of processes that the signal goes to, which decides on the ``spread`` if the signal has none; nil if the source does
    /// not know it.
    public var subscribers: Int?

    /// The time when the document was published; nil if the source does not know it, and for other signals.
    public var published: Date?

    /// The document's `rollout.percent`, 0 … 100. With ``rolloutSeed``, instances that the document is not for leave it to their
    /// next poll. nil, the default, for all.
    public var rolloutPercent: Double?

    /// The document's `rollout.seed`; nil, the default, wakes all instances.
    public var rolloutSeed: String?

    /// The document; nil for signals without one.
    public var document: FetchedDocument?

    /// How the connection failed, or why a ``NamedCode/changed`` signal cannot be read; nil for other signals.
    public var failure: FetchError?

    private init(_ kind: NamedCode<SourceSignal>) {
        self.kind = kind
    }
}

/// The kinds of signal.
extension NamedCode<SourceSignal> {
    /// The connection is open.
    public static var connected: Self { Self(rawValue: "connected") }

    /// The document has changed.
    public static var changed: Self { Self(rawValue: "changed") }

    /// The document itself.
    public static var document: Self { Self(rawValue: "document") }

    /// The connection failed.
    public static var disconnected: Self { Self(rawValue: "disconnected") }

    /// What a status counts beside: signals of versions that are in use, lower, or not for the instance.
    package static var ignored: Self { Self(rawValue: "ignored") }

    /// What a status counts beside: signals that cannot be read.
    package static var unreadable: Self { Self(rawValue: "unreadable") }
}

extension SourceSignal {
    /// The connection is open. The setup fetches the document, which may have changed before.
    public static let connected = SourceSignal(.connected)

    /// The document has changed. The setup fetches it, unless the version is in use already.
    /// - Parameters:
    ///   - version: The version of the document; nil, the default, if the source does not know it.
    ///   - entityTag: The tag of the document; nil, the default, if the source does not know it.
    ///   - published: The time when the document was published; nil, the default, if the source does not know it.
    /// - Returns: The signal.
    public static func changed(
        version: Int? = nil, entityTag: String? = nil, published: Date? = nil
    ) -> SourceSignal {
        var signal = SourceSignal(.changed)
        (signal.version, signal.entityTag, signal.published) = (version, entityTag, published)
        return signal
    }

    /// The document itself, which is treated as if it had been fetched.
    /// - Parameters:
    ///   - document: The document.
    ///   - published: The time when it was published; nil, the default, if the source does not know it.
    /// - Returns: The signal.
    public static func document(_ document: FetchedDocument, published: Date? = nil) -> SourceSignal {
        var signal = SourceSignal(.document)
        (signal.document, signal.published) = (document, published)
        return signal
    }

    /// The connection failed.
    /// - Parameter failure: The failure. After one with a status of 204 or 4xx, except for 408 and 429, a setup that polls
    ///   opens no connection until a fetch has succeeded; ``FetchError/retryAfter`` is honoured.
    /// - Returns: The signal.
    public static func disconnected(_ failure: FetchError) -> SourceSignal {
        var signal = SourceSignal(.disconnected)
        signal.failure = failure
        return signal
    }
}
