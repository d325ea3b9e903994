/// Writes an event to the bytes that will be stored and sent: a JSON object whose values are all strings.
struct EventEncoder: ~Copyable {
    /// What the caller tracks.
    struct Source {
        let content: EventContent
        let entities: [Entity]
        let moreEntities: [Entity]
        /// In milliseconds since 1970.
        let trueTime: Int64?
    }

    /// What the tracker adds, fixed at the moment when the event is tracked.
    struct Stamp {
        let id: EventID
        /// Its place among the events of its tracker.
        let sequence: UInt64
        let wallTime: Int64
        /// The tracker's session, if the event belongs to it.
        let session: Session.Stamp?
        /// The context whose session the event carries.
        let sessionContext: TrackingContext?
        /// The screen viewed last, if the event belongs to the tracker's own user; for a view of that user, its own.
        let screen: Screen?
        let previousScreen: Screen?
        /// Whether the event is about the user of the tracker's subject.
        let isOwnUser: Bool
        let isAnonymous: Bool
        let settingsReference: LaneReferences<EffectiveSettings>.Reference

        var settings: EffectiveSettings { settingsReference.object }
    }

    // Room for most events; `withUnsafeTemporaryAllocation` uses the stack for up to 1,024 bytes.
    private static let capacity = 1024

    private(set) var row: ByteWriter
    private var scratch: ByteWriter
    /// The parameters whose values were cut or left out.
    private(set) var truncated: [AtomicField] = []

    private init(row: consuming ByteWriter, scratch: consuming ByteWriter) {
        self.row = row
        self.scratch = scratch
    }

    /// Encodes an event without fault.
    /// - Parameters:
    ///   - source: The event.
    ///   - stamp: What its tracker adds.
    ///   - layers: The sources of its subject.
    ///   - body: Called with the encoder, whose ``row`` is the event.
    /// - Returns: What `body` returns.
    static func encode<Result>(
        _ source: Source, _ stamp: Stamp, _ layers: SubjectLayers,
        _ body: (borrowing EventEncoder) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { row in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { scratch in
                var encoder = EventEncoder(row: ByteWriter(borrowing: row), scratch: ByteWriter(borrowing: scratch))
                encoder.encode(source, stamp, layers)
                return body(encoder)
            }
        }
    }

    private mutating func encode(_ source: Source, _ stamp: Stamp, _ layers: SubjectLayers) {
        switch source.content.form {
        case .selfDescribing, .screenView, .invalid: row.append("{\"e\":\"ue\",\"eid\":\"")
        case .parameters(let type, _):
            row.append("{\"e\":\"")
            row.append(raw: type.rawValue)
            row.append("\",\"eid\":\"")
        }
        row.append(stamp.id)
        row.append("\",\"dtm\":\"")
        row.append(decimal: stamp.wallTime)
        if let time = source.trueTime {
            row.append("\",\"ttm\":\"")
            row.append(decimal: time)
        }
        row.append(UInt8(ascii: "\""))
        appendParameters(source, stamp, layers)
        switch source.content.form {
        case .selfDescribing(let schema, let data): append(schema: schema, data: data, stamp.settings)
        case .screenView(let view):
            let screen = Screen(view, event: stamp.id)
            append(
                schema: ScreenDescription.schema,
                data: screen.eventData(previous: stamp.previousScreen), stamp.settings)
        case .parameters(let type, let parameters):
            for parameter in parameters {
                guard let value = parameter.value else { continue }
                // An event of the service's own may say a user as well.
                if stamp.isAnonymous, EventSubject.Fields(parameter: parameter.name)?.isSubset(of: .personal) == true {
                    continue
                }
                append(parameter.name, value, type)
            }
        case .invalid: break
        }
        appendEntities(source, stamp, layers)
        row.append(UInt8(ascii: "}"))
    }

    /// Appends the parameters of the application and the subject.
    private mutating func appendParameters(_ source: Source, _ stamp: Stamp, _ layers: SubjectLayers) {
        let settings = stamp.settings
        // What the event itself says must not stand in the row twice.
        let said = source.content.subjectFields
        if layers.isEmpty, said.isEmpty {
            row.append(settings.parameters)
            if !settings.truncated.isEmpty { truncated += settings.truncated }
            return
        }
        row.append(settings.fixedParameters)
        if !settings.truncatedFixed.isEmpty { truncated += settings.truncatedFixed }
        var fields = EventSubject.Fields.all.subtracting(said)
        if stamp.isAnonymous { fields.subtract(.personal) }
        layers.write(to: &row, over: settings, fields, truncated: &truncated)
    }

    /// Appends a parameter of the event's own.
    private mutating func append(_ name: String, _ value: String, _ type: EventType) {
        // Most values are shorter than every bound; only currencies have one that is lower.
        let mayBeTooLong =
            value.utf8.count > AtomicField.leastTextLength || type == .transaction || type == .transactionItem
        if mayBeTooLong, let field = AtomicField(rawValue: name), let text = field.truncated(value) {
            truncated.append(field)
            row.append(parameter: name, text)
        } else {
            row.append(parameter: name, value)
        }
    }

    private mutating func append(schema: String, data: JSONObject, _ settings: EffectiveSettings) {
        scratch.removeAll()
        scratch.append(settings.eventEnvelope.tail)
        scratch.append(schema: schema, data: data)
        scratch.append(UInt8(ascii: "}"))
        appendScratch(in: settings.eventEnvelope, settings)
    }

    private mutating func appendEntities(_ source: Source, _ stamp: Stamp, _ layers: SubjectLayers) {
        let settings = stamp.settings
        scratch.removeAll()
        scratch.append(settings.entitiesEnvelope.tail)
        let start = scratch.count
        append(entities: source.entities, isAnonymous: stamp.isAnonymous)
        append(entities: source.moreEntities, isAnonymous: stamp.isAnonymous)
        if let context = layers.scoped { append(entitiesOf: context, stamp) }
        if let context = layers.bound { append(entitiesOf: context, stamp) }
        if let session = stamp.session {
            session.write(to: &scratch, isAnonymous: stamp.isAnonymous)
            scratch.append(UInt8(ascii: ","))
        }
        if settings.hasScreen, let screen = stamp.screen { append(entities: [screen.entity], isAnonymous: false) }
        scratch.append(settings.entities)
        if settings.hasLocation { appendLocation(stamp, layers) }
        if scratch.count == start { return }
        // Each entity brought a comma after it; the last one is one too many.
        scratch.removeLast(1)
        scratch.append("]}")
        appendScratch(in: settings.entitiesEnvelope, settings)
    }

    private mutating func append(entities: [Entity], isAnonymous: Bool) {
        for entity in entities {
            scratch.append(entity: isAnonymous ? entity.anonymised : entity)
            scratch.append(UInt8(ascii: ","))
        }
    }

    /// Appends the entities of a context, of sessions only the one that belongs to the event's user.
    private mutating func append(entitiesOf context: TrackingContext, _ stamp: Stamp) {
        guard context.hasClientSession else { return scratch.append(context.encodedEntities) }
        let isSessionTaken = stamp.sessionContext === context
        append(
            entities: context.entities.filter { isSessionTaken || !$0.isClientSession },
            isAnonymous: stamp.isAnonymous)
    }

    /// Appends the location, which the tracker's subject has for its own user only.
    private mutating func appendLocation(_ stamp: Stamp, _ layers: SubjectLayers) {
        switch layers.location {
        case .some(let location): if let location { scratch.append(location.encodedEntity) }
        case .none: if stamp.isOwnUser { scratch.append(stamp.settings.locationEntity) }
        }
    }

    /// Appends what is in ``scratch``, which begins with the tail of its envelope.
    private mutating func appendScratch(in envelope: Envelope, _ settings: EffectiveSettings) {
        row.append(envelope.head)
        if settings.usesBase64 {
            row.append(base64: scratch.bytes)
        } else {
            row.append(escaping: scratch.bytes)
        }
        row.append(UInt8(ascii: "\""))
    }
}

extension EventContent {
    /// The fields of the subject that the event itself says, as the URL of a page view.
    var subjectFields: EventSubject.Fields {
        guard case .parameters(_, let parameters) = form else { return [] }
        var fields = EventSubject.Fields()
        for parameter in parameters where parameter.value != nil {
            // The parameters of structured events and the like, as `se_ca`, are none of the subject's.
            let name = parameter.name.utf8
            if name.count > 2, name[name.index(name.startIndex, offsetBy: 2)] == UInt8(ascii: "_") { continue }
            if let field = EventSubject.Fields(parameter: parameter.name) { fields.insert(field) }
        }
        return fields
    }

    /// The user and the session that the event names by parameters of its own; nil if it names none.
    var identity: EventSubject? {
        guard !subjectFields.isDisjoint(with: .identity), case .parameters(_, let parameters) = form else { return nil }
        func value(_ name: String) -> String? { parameters.first { $0.name == name && $0.value != nil }?.value }
        return EventSubject(userID: value("uid"), domainUserID: value("duid"), domainSessionID: value("sid"))
    }
}

extension ByteWriter {
    /// Appends `,"name":"value"`.
    mutating func append(parameter name: String, _ value: String) {
        append(UInt8(ascii: ","))
        append(quoted: name)
        append(UInt8(ascii: ":"))
        append(quoted: value)
    }

    /// Appends an entity as self-describing JSON.
    mutating func append(entity: Entity) {
        append(schema: entity.schema, data: entity.data)
    }

    /// Appends self-describing JSON.
    mutating func append(schema: String, data: JSONObject) {
        append("{\"schema\":")
        append(quoted: schema)
        append(",\"data\":")
        append(json: data)
        append(UInt8(ascii: "}"))
    }
}
