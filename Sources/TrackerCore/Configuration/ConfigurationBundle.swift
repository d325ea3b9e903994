/// The configuration of one tracker, from a document or the default.
///
/// ```swift
/// let bundle = ConfigurationBundle(
///     namespace: "checkout",
///     network: NetworkConfiguration(endpoint: "https://collector.example.com"),
///     subject: EventSubject { $0.language = "en" }
/// )
/// ```
public struct ConfigurationBundle: Sendable, Equatable {
    /// The tracker's namespace, 1 … 128 UTF-16 code units.
    public let namespace: String

    /// How events reach the collector; in a remote document, nil removes the tracker.
    public var network: NetworkConfiguration?

    /// What the tracker attaches to events.
    public var tracker: TrackerConfiguration?

    /// The subject of events that have none of their own.
    public var subject: EventSubject?

    /// When a session ends.
    public var session: SessionConfiguration?

    /// How events are stored and sent.
    public var emitter: EmitterConfiguration?

    /// Creates a bundle.
    /// - Parameters:
    ///   - namespace: The tracker's namespace, 1 … 128 UTF-16 code units.
    ///   - network: How events reach the collector.
    ///   - tracker: What the tracker attaches to events.
    ///   - subject: The subject of events that have none of their own.
    ///   - session: When a session ends.
    ///   - emitter: How events are stored and sent.
    public init(
        namespace: String,
        network: NetworkConfiguration? = nil,
        tracker: TrackerConfiguration? = nil,
        subject: EventSubject? = nil,
        session: SessionConfiguration? = nil,
        emitter: EmitterConfiguration? = nil
    ) {
        self.namespace = namespace
        self.network = network
        self.tracker = tracker
        self.subject = subject
        self.session = session
        self.emitter = emitter
    }
}

extension ConfigurationBundle {
    /// Why a text is no namespace, as a sentence; nil if it is one. Enrich and the store's records know names by `tna`.
    package static func fault(ofNamespace text: String) -> String? {
        let count = text.utf16.count
        return 1...AtomicField.tna.maxLength ~= count
            ? nil : "expected 1 to \(AtomicField.tna.maxLength) UTF-16 code units, found \(count)"
    }

    /// Checks values that code gives, before ``clamp(warn:)``; may read the disk.
    /// - Throws: A ``ConfigurationError`` with the place of the first that cannot be used, such as `network.timeout`.
    package func check() throws(ConfigurationError) {
        for section in ConfigurationBundle.sections { try section.check(self) }
    }

    /// Moves every number of every section into its range.
    /// - Parameter warn: Receives what was changed: the place as `section.field` and a sentence.
    package mutating func clamp(warn: (_ place: String, _ reason: String) -> Void) {
        for section in ConfigurationBundle.sections {
            section.clamp(&self) { field, reason in warn("\(section.name).\(field)", reason) }
        }
    }
}
