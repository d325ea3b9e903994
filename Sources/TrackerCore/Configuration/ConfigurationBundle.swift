/// The configuration of one tracker, from a document or the default.
///
/// ```swift
/// let bundle = ConfigurationBundle(
///     namespace: "checkout",
///     network: NetworkConfiguration(endpoint: "https://collector.example.com"),
///     subject: SubjectConfiguration { $0.language = "en" }
/// )
/// ```
public struct ConfigurationBundle: Sendable, Equatable {
    /// The tracker's namespace, 1 … 4,096 characters.
    public let namespace: String

    var sharedNetwork = SharedSection<NetworkConfiguration>()
    var sharedTracker = SharedSection<TrackerConfiguration>()
    var sharedSubject = SharedSection<SubjectConfiguration>()
    var sharedSession = SharedSection<SessionConfiguration>()
    var sharedEmitter = SharedSection<EmitterConfiguration>()

    /// Whether ``network`` is not nil.
    package var hasNetwork: Bool { sharedNetwork.isPresent }

    /// How events reach the collector; in a remote document, nil removes the tracker.
    public var network: NetworkConfiguration? {
        get { sharedNetwork.value }
        set { sharedNetwork.value = newValue }
    }

    /// What the tracker attaches to events.
    public var tracker: TrackerConfiguration? {
        get { sharedTracker.value }
        set { sharedTracker.value = newValue }
    }

    /// The subject of events that have none of their own.
    public var subject: SubjectConfiguration? {
        get { sharedSubject.value }
        set { sharedSubject.value = newValue }
    }

    /// When a session ends.
    public var session: SessionConfiguration? {
        get { sharedSession.value }
        set { sharedSession.value = newValue }
    }

    /// How events are stored and sent.
    public var emitter: EmitterConfiguration? {
        get { sharedEmitter.value }
        set { sharedEmitter.value = newValue }
    }

    /// Creates a bundle.
    /// - Parameters:
    ///   - namespace: The tracker's namespace, 1 … 4,096 characters.
    ///   - network: How events reach the collector.
    ///   - tracker: What the tracker attaches to events.
    ///   - subject: The subject of events that have none of their own.
    ///   - session: When a session ends.
    ///   - emitter: How events are stored and sent.
    public init(
        namespace: String,
        network: NetworkConfiguration? = nil,
        tracker: TrackerConfiguration? = nil,
        subject: SubjectConfiguration? = nil,
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
    /// Checks values that code gives, before ``clamp(warn:)``; may read the disk.
    /// - Throws: A ``ConfigurationError`` with the place of the first that cannot be used, such as `network.timeout`.
    package func check() throws(ConfigurationError) {
        for section in AnySection.all { try section.check(self) }
    }

    /// Moves every number of every section into its range.
    /// - Parameter warn: Receives what was changed: the place as `section.field` and a sentence.
    package mutating func clamp(warn: (_ place: String, _ reason: String) -> Void) {
        for section in AnySection.all {
            section.clamp(&self) { field, reason in warn("\(section.name).\(field)", reason) }
        }
    }
}
