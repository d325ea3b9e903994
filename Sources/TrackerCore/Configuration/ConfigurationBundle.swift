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

    /// The connection to the collector; in a remote document, nil removes the tracker.
    public var network: NetworkConfiguration?

    /// The entities and fields that the tracker attaches to events.
    public var tracker: TrackerConfiguration?

    /// The subject of events that have none of their own.
    public var subject: EventSubject?

    /// The session's settings.
    public var session: SessionConfiguration?

    /// The storage and delivery of events.
    public var emitter: EmitterConfiguration?

    /// Creates a bundle.
    /// - Parameters:
    ///   - namespace: The tracker's namespace, 1 … 128 UTF-16 code units.
    ///   - network: The connection to the collector.
    ///   - tracker: The entities and fields that the tracker attaches to events.
    ///   - subject: The subject of events that have none of their own.
    ///   - session: The session's settings.
    ///   - emitter: The storage and delivery of events.
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
    /// Returns why a text cannot be a namespace, as a sentence; nil if it can. Enrich and the store read the namespace
    /// from `tna`, so the bound of `tna` applies.
    package static func fault(ofNamespace text: String) -> String? {
        let count = text.utf16.count
        return 1...AtomicField.tna.maxLength ~= count
            ? nil : "expected 1 to \(AtomicField.tna.maxLength) UTF-16 code units, found \(count)"
    }

    /// Checks the values set in code, before ``clamp(warn:)``; may read from disk.
    /// - Throws: A ``ConfigurationError`` with the place of the first unusable value, such as `network.timeout`.
    package func check() throws(ConfigurationError) {
        for section in ConfigurationBundle.sections { try section.check(self) }
    }

    /// Clamps every number of every section to its range.
    /// - Parameter warn: Receives each change: the place as `section.field` and a sentence.
    package mutating func clamp(warn: (_ place: String, _ reason: String) -> Void) {
        for section in ConfigurationBundle.sections {
            section.clamp(&self) { field, reason in warn("\(section.name).\(field)", reason) }
        }
    }
}
