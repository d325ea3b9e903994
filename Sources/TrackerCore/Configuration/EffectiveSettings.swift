/// The merged settings of a tracker, prepared for the hot path; rebuilt when a layer changes.
package final class EffectiveSettings: Sendable {
    package let namespace: String
    package let network: NetworkConfiguration
    package let tracker: TrackerConfiguration
    package let session: SessionConfiguration
    package let emitter: EmitterConfiguration
    package let subject: EventSubject

    /// The collector's URL.
    package let endpoint: EndpointURL

    /// Whether requests omit ``NetworkConfiguration/requestHeaders`` because only a document names the collector: the
    /// headers may contain credentials, which are meant for the servers named in code.
    package let withholdsHeaders: Bool

    /// The timeout of a whole request to a collector.
    let timeout: Duration

    /// The path of POST requests, after the endpoint.
    let postPath: String
    let usesBase64: Bool
    let hasSession: Bool
    let hasLocation: Bool
    let isUserAnonymous: Bool
    let isServerAnonymous: Bool

    /// The parameters of the application, as a row contains them: `,"tv":"…","tna":"…"`.
    let fixedParameters: [UInt8]

    /// All parameters of an event without a subject of its own.
    let parameters: [UInt8]

    /// The fields of ``parameters`` whose values are too long or out of bounds.
    let truncated: [AtomicField]

    /// The fields of ``fixedParameters`` whose values are too long or out of bounds.
    let truncatedFixed: [AtomicField]

    /// The entities of every event, each as JSON with a comma after it.
    let entities: [UInt8]

    /// The entity of the subject's location, as JSON with a comma after it; empty if there is none.
    let locationEntity: [UInt8]

    // More schemas than a service uses; the longest schema of Iglu is not half as long.
    private static let (maxHeads, longestSchema) = (32, 512)
    private let heads = Locked<[(schema: String, head: SchemaHead)]>([])

    /// The envelope of the entities, up to the first entity.
    let entitiesEnvelope: Envelope

    /// Merges the layers.
    /// - Parameters:
    ///   - namespace: The tracker's namespace.
    ///   - layers: The layers.
    /// - Throws: An error if the collector's URL is missing or cannot be used.
    package init(namespace: String, layers: borrowing TrackerLayers) throws(ConfigurationError) {
        self.namespace = namespace
        network = layers.network.effective
        tracker = layers.tracker.effective
        session = layers.session.effective
        emitter = layers.emitter.effective
        endpoint = try Self.collector(of: network)
        withholdsHeaders = Self.withholdsHeaders(of: network, from: endpoint.origin, layers)
        postPath = "/\((network.customPostPath ?? "").drop { $0 == "/" })"
        try HTTPHeader.check(network.requestHeaders ?? [], place: "network.requestHeaders")
        timeout = network.timeout ?? .seconds(30)
        usesBase64 = tracker.base64Encoding ?? true
        entitiesEnvelope = Envelope(.entities, usesBase64: usesBase64)
        hasSession = tracker.sessionContext ?? false
        isUserAnonymous = tracker.userAnonymisation ?? false
        isServerAnonymous = emitter.serverAnonymisation ?? false
        (fixedParameters, truncatedFixed) = Self.fixedParameters(namespace: namespace, tracker: tracker)
        subject = layers.subject.effective
        var writer = ByteWriter(capacity: 256)
        writer.append(fixedParameters)
        var fields = isUserAnonymous ? EventSubject.Fields.all.subtracting(.personal) : .all
        var truncated = truncatedFixed
        subject.write(taking: &fields, to: &writer, truncated: &truncated)
        parameters = writer.array
        self.truncated = truncated
        entities = Self.entities(tracker: tracker)
        hasLocation = tracker.geoLocationContext ?? false
        locationEntity = hasLocation ? subject.location?.encodedEntity ?? [] : []
    }

    /// Whether the settings are equal in everything that affects an event, a session or a request.
    package func isEqual(to other: EffectiveSettings) -> Bool {
        network == other.network && tracker == other.tracker && subject == other.subject
            && session == other.session && emitter == other.emitter
            && withholdsHeaders == other.withholdsHeaders
    }

    /// The headers that code adds to requests.
    var requestHeaders: [HTTPHeader] { withholdsHeaders ? [] : network.requestHeaders ?? [] }

    private static func withholdsHeaders(
        of network: NetworkConfiguration, from origin: Origin, _ layers: borrowing TrackerLayers
    ) -> Bool {
        guard network.requestHeaders?.isEmpty == false, layers.network.isRemote(\.endpoint) else { return false }
        // An unusable URL names no server.
        let inCode = layers.network.defaults?.endpoint.flatMap { try? EndpointURL(collector: $0).origin }
        return inCode != origin && !layers.origin.trusted.contains { $0.matches(origin) }
    }

    private static func collector(of network: NetworkConfiguration) throws(ConfigurationError) -> EndpointURL {
        guard let endpoint = network.endpoint else {
            throw ConfigurationError(
                .missingValue, place: "network.endpoint", reason: "a tracker needs a collector's URL")
        }
        return try EndpointURL(collector: endpoint, place: "network.endpoint")
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
        writer.append(entities: entities)
        return writer.array
    }

    /// Returns the head of a schema, which is encoded once.
    func head(of schema: String) -> SchemaHead {
        heads.withLock { heads in
            // Buffer access avoids copies of the elements and their reference counting.
            let index = heads.withUnsafeBufferPointer { heads in
                heads.indices.first { heads[$0].schema.isExactly(schema) }
            }
            if let index { return heads[index].head }
            let head = SchemaHead(schema, usesBase64: usesBase64)
            if heads.count < Self.maxHeads, schema.utf8.count <= Self.longestSchema { heads.append((schema, head)) }
            return head
        }
    }
}

extension EndpointURL {
    /// Checks a collector's URL: `http` or `https`, nothing after the path.
    package init(collector text: String, place: String = "") throws(ConfigurationError) {
        let url = try EndpointURL(text, place: place)
        guard !url.text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw ConfigurationError(
                .unusableURL, place: place,
                reason: "\(Self.withoutSecrets(text).excerpt) cannot be used as a URL: "
                    + "a collector's has neither query nor fragment")
        }
        self = url.withoutTrailingSlashes
    }
}
