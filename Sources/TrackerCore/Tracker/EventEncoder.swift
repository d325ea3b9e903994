/// Writes an event to the bytes that will be stored and sent: a JSON object whose values are all strings.
struct EventEncoder: ~Copyable {
    /// The input of the caller.
    struct Input {
        let content: EventContent
        /// The entities of the event, of the caller, of plugins and of the context.
        let entities: [Entity]
        /// The true time in milliseconds since 1970.
        let trueTime: Int64?
        /// The sources of its subject.
        let subject: SubjectLayers
    }

    /// The values that the tracker adds, fixed at the moment when the event is tracked.
    struct Stamp {
        let id: EventID
        /// The number of the event among those of its tracker.
        let sequence: UInt64
        let wallTime: Int64
        /// The tracker's session, if the event belongs to it.
        let session: SessionRecord?
        /// Whether the event is about the user of the tracker's subject.
        let isOwnUser: Bool
        let isAnonymous: Bool
        let settings: EffectiveSettings
    }

    // Room for most events; `withUnsafeTemporaryAllocation` uses the stack for up to 1,024 bytes.
    private static let capacity = 1024

    private(set) var row: ByteWriter
    /// The JSON that is added to the row in base64.
    private var scratch: ByteWriter
    /// The parameters whose values were truncated or left out.
    private(set) var truncated: [AtomicField] = []
    /// Whether the event or one of its entities has a schema that is not an Iglu URI.
    private(set) var hasMalformedSchema = false
    private var hasEntities = false
    private let settings: EffectiveSettings

    private init(row: consuming ByteWriter, scratch: consuming ByteWriter, _ settings: EffectiveSettings) {
        self.row = row
        self.scratch = scratch
        self.settings = settings
    }

    /// Encodes a valid event.
    /// - Parameters:
    ///   - input: The event.
    ///   - stamp: The values that its tracker adds.
    ///   - body: Called with the encoder, whose ``row`` is the event.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    static func encode<Result, Failure: Error>(
        _ input: Input, _ stamp: Stamp, _ body: (borrowing EventEncoder) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { (row) throws(Failure) in
            try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { (scratch) throws(Failure) in
                var encoder = EventEncoder(
                    row: ByteWriter(borrowing: row), scratch: ByteWriter(borrowing: scratch), stamp.settings)
                encoder.encode(input, stamp)
                return try body(encoder)
            }
        }
    }

    private mutating func encode(_ input: Input, _ stamp: Stamp) {
        switch input.content.form {
        case .selfDescribing, .invalid: row.append("{\"e\":\"ue\",\"eid\":\"")
        case .parameters(let type, _):
            row.append("{\"e\":\"")
            row.append(raw: type.rawValue)
            row.append("\",\"eid\":\"")
        }
        row.append(stamp.id)
        row.append("\",\"dtm\":\"")
        row.append(decimal: stamp.wallTime)
        if let time = input.trueTime {
            row.append("\",\"ttm\":\"")
            row.append(decimal: time)
        }
        row.append(UInt8(ascii: "\""))
        appendParameters(input, isAnonymous: stamp.isAnonymous)
        switch input.content.form {
        case .selfDescribing(let schema, let data):
            begin(head(of: schema).event)
            append(json: data)
            close("}}")
        case .parameters(let type, let parameters):
            for parameter in parameters {
                guard let value = parameter.value else { continue }
                // An event type of the service may name a user too.
                if stamp.isAnonymous, EventSubject.Fields(parameter: parameter.name)?.isSubset(of: .personal) == true {
                    continue
                }
                append(parameter.name, value, type)
            }
        case .invalid: break
        }
        appendEntities(input, stamp)
        row.append(UInt8(ascii: "}"))
    }

    /// Appends the parameters of the application and the subject.
    private mutating func appendParameters(_ input: Input, isAnonymous: Bool) {
        // The row must not contain fields of the event itself twice.
        let eventFields = input.content.subjectFields
        if input.subject.isEmpty, eventFields.isEmpty {
            row.append(settings.parameters)
            if !settings.truncated.isEmpty { truncated += settings.truncated }
            return
        }
        row.append(settings.fixedParameters)
        if !settings.truncatedFixed.isEmpty { truncated += settings.truncatedFixed }
        var fields = EventSubject.Fields.all.subtracting(eventFields)
        if isAnonymous { fields.subtract(.personal) }
        input.subject.write(to: &row, over: settings, fields, truncated: &truncated)
    }

    /// Appends a parameter of the event itself.
    private mutating func append(_ name: String, _ value: String, _ type: EventType) {
        // Most values are shorter than every bound; only currencies have a lower bound.
        let mayBeTooLong =
            value.utf8.count > AtomicField.leastTextLength || type == .transaction || type == .transactionItem
        if mayBeTooLong, let field = AtomicField(rawValue: name), let text = field.truncated(value) {
            truncated.append(field)
            row.append(member: name, text)
        } else {
            row.append(member: name, value)
        }
    }

    private mutating func appendEntities(_ input: Input, _ stamp: Stamp) {
        for entity in input.entities {
            let head = head(of: entity.schema)
            if !hasEntities {
                begin(head.entities)
            } else if settings.usesBase64 {
                scratch.append(head.json)
            } else {
                row.append(head.json)
            }
            append(json: stamp.isAnonymous ? entity.anonymised.data : entity.data)
            if settings.usesBase64 { scratch.append("},") } else { row.append("},") }
            hasEntities = true
        }
        if let session = stamp.session {
            var writer = ByteWriter(capacity: 512)
            session.write(to: &writer, isAnonymous: stamp.isAnonymous)
            writer.append(UInt8(ascii: ","))
            append(entities: writer.bytes)
        }
        settings.entities.withUnsafeBytes { append(entities: $0) }
        if settings.hasLocation {
            // The tracker's location applies to its own user only.
            let location =
                switch input.subject.location {
                case .some(let location): location?.encodedEntity
                case .none: stamp.isOwnUser ? settings.locationEntity : nil
                }
            location?.withUnsafeBytes { append(entities: $0) }
        }
        // Each entity has a comma after it; replace the last comma.
        if hasEntities { close("]}", over: 1) }
    }

    /// Appends entities that are encoded as JSON, each with a comma after it.
    private mutating func append(entities: UnsafeRawBufferPointer) {
        if entities.isEmpty { return }
        if !hasEntities { begin(settings.entitiesEnvelope) }
        if settings.usesBase64 { scratch.append(entities) } else { row.append(escaping: entities) }
        hasEntities = true
    }

    /// The head of a schema. Notes whether the schema is an Iglu URI, for the tracker to report.
    private mutating func head(of schema: String) -> SchemaHead {
        let head = settings.head(of: schema)
        if !head.isIgluURI { hasMalformedSchema = true }
        return head
    }

    /// Begins a parameter with JSON.
    private mutating func begin(_ envelope: Envelope) {
        row.append(envelope.head)
        scratch.removeAll()
        scratch.append(envelope.tail)
        row.isInString = true
    }

    /// Closes a parameter with JSON, and replaces its last bytes.
    private mutating func close(_ last: StaticString, over length: Int = 0) {
        row.isInString = false
        if settings.usesBase64 {
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
        if settings.usesBase64 { scratch.append(json: object) } else { row.append(json: object) }
    }
}

extension EventContent {
    /// The subject fields that the event itself sets, such as the URL of a page view.
    var subjectFields: EventSubject.Fields {
        guard case .parameters(_, let parameters) = form else { return [] }
        var fields = EventSubject.Fields()
        for parameter in parameters where parameter.value != nil {
            // Parameters of structured events and the like, such as `se_ca`, are not fields of the subject.
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
    /// Appends entities as self-describing JSON, each with a comma after it.
    mutating func append(entities: [Entity]) {
        for entity in entities {
            append("{\"schema\":")
            append(quoted: entity.schema)
            append(",\"data\":")
            append(json: entity.data)
            append("},")
        }
    }
}
