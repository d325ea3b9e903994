/// The merged settings of a tracker, made ready for the hot path; rebuilt when a layer changes.
package final class EffectiveSettings: Sendable {
    package let namespace: String
    package let network: NetworkConfiguration
    package let tracker: TrackerConfiguration
    package let session: SessionConfiguration
    package let emitter: EmitterConfiguration
    // Most trackers have none, and it is large.
    private let ownSubject: SharedSection<SubjectConfiguration>

    package var subject: SubjectConfiguration { ownSubject.value ?? .builtIn }

    /// The collectors: the endpoint, then those to fall back to.
    package let endpoints: [EndpointURL]

    /// The collectors that get no ``NetworkConfiguration/requestHeaders``, because only a document names them: what a header
    /// authorises is meant for the servers that code named.
    package let originsWithoutHeaders: Set<Origin>

    /// The time for a whole request to a collector.
    let timeout: Duration

    /// Where POST requests go, after the endpoint.
    let postPath: String
    let usesBase64: Bool
    let hasSession: Bool
    let hasScreen: Bool
    let hasLocation: Bool
    let isUserAnonymous: Bool
    let isServerAnonymous: Bool

    /// The parameters of the application, as they stand within a row: `,"tv":"…","tna":"…"`.
    let fixedParameters: [UInt8]

    /// The subject, for events that have one of their own.
    let encodedSubject: EncodedSubject

    /// All parameters of an event without a subject of its own.
    let parameters: [UInt8]

    /// Which of ``parameters`` have values that are too long or out of bounds.
    let truncated: [AtomicField]

    /// The same of ``fixedParameters``.
    let truncatedFixed: [AtomicField]

    /// The entities that every event carries, each as JSON with a comma after it.
    let entities: [UInt8]

    /// The entity of the subject's location in the same form; empty if there is none.
    let locationEntity: [UInt8]

    /// Merges the layers.
    /// - Parameters:
    ///   - namespace: The tracker's namespace.
    ///   - layers: The layers.
    ///   - urls: The collectors of other trackers; none by default.
    /// - Throws: An error if the collector's URL is missing or cannot be used.
    package init(
        namespace: String, layers: borrowing TrackerLayers, urls: CollectorURLs = CollectorURLs()
    ) throws(ConfigurationError) {
        self.namespace = namespace
        network = layers.network.effective
        tracker = layers.tracker.effective
        session = layers.session.effective
        emitter = layers.emitter.effective
        endpoints = try urls.collectors(of: network)
        originsWithoutHeaders =
            network.requestHeaders?.isEmpty == false ? Self.originsWithoutHeaders(of: endpoints, layers) : []
        postPath = try Self.postPath(network.customPostPath)
        try HTTPHeader.check(network.requestHeaders ?? [], place: "network.requestHeaders")
        timeout = network.timeout ?? .seconds(30)
        usesBase64 = tracker.base64Encoding ?? true
        hasSession = tracker.sessionContext ?? false
        hasScreen = tracker.screenContext ?? false
        isUserAnonymous = tracker.userAnonymisation ?? false
        isServerAnonymous = emitter.serverAnonymisation ?? false
        (fixedParameters, truncatedFixed) = Self.fixedParameters(namespace: namespace, tracker: tracker)
        let subject = layers.subject.effective
        if subject == .builtIn {
            (ownSubject, encodedSubject) = (SharedSection(), .empty)
            (parameters, truncated) = (fixedParameters, truncatedFixed)
        } else {
            ownSubject = SharedSection(subject)
            encodedSubject = EncodedSubject(EventSubject(subject))
            var writer = ByteWriter(capacity: 256)
            writer.append(fixedParameters)
            var fields = isUserAnonymous ? EventSubject.Fields.all.subtracting(.personal) : .all
            var truncated = truncatedFixed
            encodedSubject.write(taking: &fields, to: &writer, truncated: &truncated)
            parameters = writer.array
            self.truncated = truncated
        }
        entities = Self.entities(tracker: tracker)
        hasLocation = tracker.geoLocationContext ?? false
        locationEntity = hasLocation ? subject.location?.encodedEntity ?? [] : []
    }

    /// Whether nothing differs that an event, a session or a request could show.
    package func isEqual(to other: EffectiveSettings) -> Bool {
        network == other.network && tracker == other.tracker && ownSubject == other.ownSubject
            && session == other.session && emitter == other.emitter
            && originsWithoutHeaders == other.originsWithoutHeaders
    }

    /// The headers that code adds to requests to a collector.
    func requestHeaders(for endpoint: EndpointURL) -> [HTTPHeader] {
        originsWithoutHeaders.contains(endpoint.origin) ? [] : network.requestHeaders ?? []
    }

    private static func originsWithoutHeaders(
        of endpoints: [EndpointURL], _ layers: borrowing TrackerLayers
    ) -> Set<Origin> {
        guard layers.network.remote.value?.endpoint != nil,
            layers.network.valuesInCode(\.requestHeaders).contains(where: { !$0.isEmpty })
        else { return [] }
        let texts =
            layers.network.valuesInCode(\.endpoint) + layers.network.valuesInCode(\.fallbackEndpoints).joined()
        // One that cannot be used names no server.
        let named = Set(texts.compactMap { try? EndpointURL(collector: $0).origin })
        return Set(endpoints.map(\.origin)).filter { origin in
            !named.contains(origin) && !layers.origin.trusted.contains { $0.matches(origin) }
        }
    }

    private static let builtInPostPath = "/\(NetworkConfiguration.builtIn.customPostPath ?? "")"

    private static func postPath(_ custom: String?) throws(ConfigurationError) -> String {
        // Shared by almost all trackers.
        if custom == NetworkConfiguration.builtIn.customPostPath { return builtInPostPath }
        let path = (custom ?? "").drop { $0 == "/" }
        do throws(ConfigurationError) {
            if !path.isEmpty { _ = try EndpointURL(collector: "https://collector/\(path)") }
        } catch {
            throw ConfigurationError(error.code, place: "network.customPostPath", reason: error.reason)
        }
        return "/\(path)"
    }

    private static func fixedParameters(
        namespace: String, tracker: TrackerConfiguration
    ) -> (bytes: [UInt8], truncated: [AtomicField]) {
        var writer = ByteWriter(capacity: 256)
        var truncated: [AtomicField] = []
        func append(_ field: AtomicField, _ value: String) {
            let cut = field.truncated(value)
            if cut != nil { truncated.append(field) }
            writer.append(member: field.rawValue, cut ?? value)
        }
        append(.tv, TrackerVersion.withSuffix(tracker.trackerVersionSuffix))
        append(.tna, namespace)
        if let appID = tracker.appID { append(.aid, appID) }
        if let platform = tracker.devicePlatform { writer.append(member: "p", platform.rawValue) }
        return (writer.array, truncated)
    }

    private static func entities(tracker: TrackerConfiguration) -> [UInt8] {
        var entities: [Entity] = []
        if let gdpr = tracker.gdpr { entities.append(gdpr.entity) }
        if tracker.platformContext == true { entities.append(Platform.entity) }
        if tracker.applicationContext == true, let version = tracker.applicationVersion {
            entities.append(
                Entity(
                    schema: "iglu:com.snowplowanalytics.mobile/application/jsonschema/1-0-0",
                    data: ["version": .string(version), "build": .string(tracker.applicationBuild ?? "")]))
        }
        var writer = ByteWriter(capacity: 256)
        for entity in entities {
            writer.append(entity: entity)
            writer.append(UInt8(ascii: ","))
        }
        return writer.array
    }
}

extension EndpointURL {
    /// Checks a collector's URL: `http` or `https`, nothing after the path.
    package init(collector text: String) throws(ConfigurationError) {
        let url = try EndpointURL(text)
        guard !url.text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw ConfigurationError(
                .unusableURL, place: "",
                reason: "\(Self.withoutSecrets(text).excerpt) cannot be used as a URL: "
                    + "a collector's has neither query nor fragment")
        }
        self = url.withoutTrailingSlashes
    }
}
