/// The merged settings of a tracker, made ready for the hot path; rebuilt when a layer changes.
package final class EffectiveSettings: Sendable {
    package let namespace: String
    package let network: NetworkConfiguration
    package let tracker: TrackerConfiguration
    package let subject: SubjectConfiguration
    package let session: SessionConfiguration
    package let emitter: EmitterConfiguration

    /// The collectors: the endpoint, then those to fall back to.
    package let endpoints: [EndpointURL]

    /// The collectors that get no ``NetworkConfiguration/requestHeaders``, because only a document names them: what a header
    /// authorises is meant for the servers that code named.
    package let originsWithoutHeaders: Set<Origin>

    /// Where POST requests go, after the endpoint.
    let postPath: String
    let usesBase64: Bool
    let hasSession: Bool
    let hasScreen: Bool
    let isUserAnonymous: Bool
    let isServerAnonymous: Bool

    /// The parameters that every event carries, as they stand within its row: `,"tv":"…","tna":"…"`.
    let parameters: [UInt8]

    /// The entities that every event carries, each as JSON with a comma after it.
    let entities: [UInt8]

    /// Merges the layers.
    /// - Throws: Where the collector's URL is missing or cannot be used.
    package init(namespace: String, layers: TrackerLayers) throws(ConfigurationError) {
        self.namespace = namespace
        network = layers.network.effective
        tracker = layers.tracker.effective
        subject = layers.subject.effective
        session = layers.session.effective
        emitter = layers.emitter.effective
        guard let text = network.endpoint else {
            throw ConfigurationError(
                .missingValue, place: "network.endpoint", reason: "a tracker needs a collector's URL")
        }
        endpoints = try ([text] + (network.fallbackEndpoints ?? [])).enumerated().map {
            (index, text) throws(ConfigurationError) in
            do throws(ConfigurationError) {
                return try EndpointURL(collector: text)
            } catch {
                let place = index == 0 ? "network.endpoint" : "network.fallbackEndpoints[\(index - 1)]"
                throw ConfigurationError(error.code, place: place, reason: error.reason)
            }
        }
        originsWithoutHeaders = Self.originsWithoutHeaders(of: endpoints, layers)
        let path = (network.customPostPath ?? "").drop { $0 == "/" }
        do throws(ConfigurationError) {
            if !path.isEmpty { _ = try EndpointURL(collector: "https://collector/\(path)") }
        } catch {
            throw ConfigurationError(error.code, place: "network.customPostPath", reason: error.reason)
        }
        postPath = "/\(path)"
        try HTTPHeader.check(network.requestHeaders ?? [], place: "network.requestHeaders")
        usesBase64 = tracker.base64Encoding ?? true
        hasSession = tracker.sessionContext ?? false
        hasScreen = tracker.screenContext ?? false
        isUserAnonymous = tracker.userAnonymisation ?? false
        isServerAnonymous = emitter.serverAnonymisation ?? false
        parameters = Self.parameters(namespace: namespace, tracker: tracker, subject: subject)
        entities = Self.entities(tracker: tracker, subject: subject)
    }

    /// Whether nothing differs that an event, a session or a request could show.
    package func isEqual(to other: EffectiveSettings) -> Bool {
        network == other.network && tracker == other.tracker && subject == other.subject && session == other.session
            && emitter == other.emitter && originsWithoutHeaders == other.originsWithoutHeaders
    }

    /// The headers that code adds to requests to a collector.
    func requestHeaders(for endpoint: EndpointURL) -> [HTTPHeader] {
        originsWithoutHeaders.contains(endpoint.origin) ? [] : network.requestHeaders ?? []
    }

    private static func originsWithoutHeaders(of endpoints: [EndpointURL], _ layers: TrackerLayers) -> Set<Origin> {
        guard layers.network.remote.endpoint != nil, layers.network.effective.requestHeaders?.isEmpty == false,
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

    private static func parameters(
        namespace: String, tracker: TrackerConfiguration, subject: SubjectConfiguration
    ) -> [UInt8] {
        let isAnonymous = tracker.userAnonymisation ?? false
        let values: [(name: String, value: String?)] = [
            ("tv", TrackerVersion.current + (tracker.trackerVersionSuffix ?? "")), ("tna", namespace),
            ("aid", tracker.appID),
            ("p", tracker.devicePlatform?.rawValue),
            ("uid", isAnonymous ? nil : subject.userID), ("duid", isAnonymous ? nil : subject.domainUserID),
            ("tnuid", isAnonymous ? nil : subject.networkUserID), ("ip", isAnonymous ? nil : subject.ipAddress),
            ("ua", subject.userAgent), ("tz", subject.timeZone), ("lang", subject.language),
            ("res", subject.screenResolution?.description), ("vp", subject.viewport?.description),
            ("cd", subject.colorDepth?.description),
        ]
        var writer = ByteWriter(capacity: 256)
        for case (let name, let value?) in values { writer.append(parameter: name, value) }
        return writer.array
    }

    private static func entities(tracker: TrackerConfiguration, subject: SubjectConfiguration) -> [UInt8] {
        var entities: [Entity] = []
        if let gdpr = tracker.gdpr { entities.append(gdpr.entity) }
        if tracker.platformContext == true { entities.append(Platform.entity) }
        if tracker.applicationContext == true, let version = tracker.applicationVersion {
            entities.append(
                Entity(
                    schema: "iglu:com.snowplowanalytics.mobile/application/jsonschema/1-0-0",
                    data: ["version": .string(version), "build": .string(tracker.applicationBuild ?? "")]))
        }
        if tracker.geoLocationContext == true, case .object(let data)? = subject.location?.json {
            entities.append(
                Entity(
                    schema: "iglu:com.snowplowanalytics.snowplow/geolocation_context/jsonschema/1-1-0", data: data))
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
