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
    /// The JSON that the row has in base64.
    private var scratch: ByteWriter
    /// The parameters whose values were cut or left out.
    private(set) var truncated: [AtomicField] = []
    /// Whether the event or one of its entities has a schema that is not an Iglu URI.
    private(set) var hasMalformedSchema = false
    private let usesBase64: Bool
    private let heads: UncountedReference<SchemaHeads>

    private init(
        row: consuming ByteWriter, scratch: consuming ByteWriter, usesBase64: Bool,
        _ heads: UncountedReference<SchemaHeads>
    ) {
        self.row = row
        self.scratch = scratch
        self.usesBase64 = usesBase64
        self.heads = heads
    }

    /// Encodes an event without fault.
    /// - Parameters:
    ///   - source: The event.
    ///   - stamp: What its tracker adds.
    ///   - layers: The sources of its subject.
    ///   - heads: The heads of the schemas that its pipeline has seen.
    ///   - body: Called with the encoder, whose ``row`` is the event.
    /// - Returns: What `body` returns.
    static func encode<Result>(
        _ source: Source, _ stamp: Stamp, _ layers: SubjectLayers, _ heads: UncountedReference<SchemaHeads>,
        _ body: (borrowing EventEncoder) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { row in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { scratch in
                var encoder = EventEncoder(
                    row: ByteWriter(borrowing: row), scratch: ByteWriter(borrowing: scratch),
                    usesBase64: stamp.settings.usesBase64, heads)
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
        case .selfDescribing(let schema, let data): append(schema: schema, data: data)
        case .screenView(let view):
            let screen = Screen(view, event: stamp.id)
            append(schema: ScreenDescription.schema, data: screen.eventData(previous: stamp.previousScreen))
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
            row.append(member: name, text)
        } else {
            row.append(member: name, value)
        }
    }

    private mutating func append(schema: String, data: JSONObject) {
        heads.use {
            $0.use(schema, .event, usesBase64: usesBase64) { head in
                note(head)
                begin(head.envelope)
            }
        }
        append(json: data)
        close("}}")
    }

    private mutating func appendEntities(_ source: Source, _ stamp: Stamp, _ layers: SubjectLayers) {
        let settings = stamp.settings
        var hasEntities = false
        append(source.entities, isAnonymous: stamp.isAnonymous, &hasEntities)
        append(source.moreEntities, isAnonymous: stamp.isAnonymous, &hasEntities)
        if let context = layers.scoped { append(entitiesOf: context, stamp, &hasEntities) }
        if let context = layers.bound { append(entitiesOf: context, stamp, &hasEntities) }
        if let session = stamp.session {
            var writer = ByteWriter(capacity: 512)
            session.write(to: &writer, isAnonymous: stamp.isAnonymous)
            writer.append(UInt8(ascii: ","))
            append(encoded: writer.bytes, &hasEntities)
        }
        if settings.hasScreen, let screen = stamp.screen { append([screen.entity], isAnonymous: false, &hasEntities) }
        settings.entities.withUnsafeBytes { append(encoded: $0, &hasEntities) }
        if settings.hasLocation { appendLocation(stamp, layers, &hasEntities) }
        // Each entity has a comma after it; the last one is one too many.
        if hasEntities { close("]}", over: 1) }
    }

    private mutating func append(_ entities: [Entity], isAnonymous: Bool, _ hasEntities: inout Bool) {
        for entity in entities {
            let isFirst = !hasEntities
            heads.use {
                $0.use(entity.schema, .entities, usesBase64: usesBase64) { head in
                    note(head)
                    if isFirst {
                        begin(head.envelope)
                    } else if usesBase64 {
                        scratch.append(head.json)
                    } else {
                        row.append(head.json)
                    }
                }
            }
            append(json: isAnonymous ? entity.anonymised.data : entity.data)
            if usesBase64 { scratch.append("},") } else { row.append("},") }
            hasEntities = true
        }
    }

    /// Appends entities that are encoded already, each with a comma after it.
    private mutating func append(encoded entities: UnsafeRawBufferPointer, _ hasEntities: inout Bool) {
        if entities.isEmpty { return }
        if !hasEntities { begin(usesBase64 ? .encodedEntities : .plainEntities) }
        if usesBase64 { scratch.append(entities) } else { row.append(escaping: entities) }
        hasEntities = true
    }

    /// Appends the entities of a context, of sessions only the one that belongs to the event's user.
    private mutating func append(entitiesOf context: TrackingContext, _ stamp: Stamp, _ hasEntities: inout Bool) {
        guard context.hasClientSession else {
            return context.encodedEntities.withUnsafeBytes { append(encoded: $0, &hasEntities) }
        }
        let isSessionTaken = stamp.sessionContext === context
        append(
            context.entities.filter { isSessionTaken || !$0.isClientSession }, isAnonymous: stamp.isAnonymous,
            &hasEntities)
    }

    /// Appends the location, which the tracker's subject has for its own user only.
    private mutating func appendLocation(_ stamp: Stamp, _ layers: SubjectLayers, _ hasEntities: inout Bool) {
        let entity =
            switch layers.location {
            case .some(let location): location?.encodedEntity
            case .none: stamp.isOwnUser ? stamp.settings.locationEntity : nil
            }
        entity?.withUnsafeBytes { append(encoded: $0, &hasEntities) }
    }

    /// Notes what a schema is, for the tracker to report.
    private mutating func note(_ head: SchemaHead) {
        if !head.isIgluURI { hasMalformedSchema = true }
    }

    /// Begins a parameter of JSON.
    private mutating func begin(_ envelope: Envelope) {
        row.append(envelope.head)
        scratch.removeAll()
        scratch.append(envelope.tail)
        row.isInString = true
    }

    /// Closes a parameter of JSON, in place of the last bytes.
    private mutating func close(_ last: StaticString, over length: Int = 0) {
        row.isInString = false
        if usesBase64 {
            scratch.removeLast(length)
            scratch.append(last)
            row.append(base64: scratch.bytes)
        } else {
            row.removeLast(length)
            row.append(last)
        }
        row.append(UInt8(ascii: "\""))
    }

    private mutating func append(json object: JSONObject) {
        if usesBase64 { scratch.append(json: object) } else { row.append(json: object) }
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
    /// Appends an entity as self-describing JSON.
    mutating func append(entity: Entity) {
        append("{\"schema\":")
        append(quoted: entity.schema)
        append(",\"data\":")
        append(json: entity.data)
        append(UInt8(ascii: "}"))
    }
}
