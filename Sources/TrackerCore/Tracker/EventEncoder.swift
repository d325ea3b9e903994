/// Writes an event to the bytes that will be stored and sent: a JSON object whose values are all strings.
struct EventEncoder: ~Copyable {
    /// An event with all that was fixed when it was tracked.
    struct Source {
        let content: EventContent
        let entities: [Entity]
        let moreEntities: [Entity]
        let id: EventID
        /// Its place among the events of its tracker.
        let sequence: UInt64
        let wallTime: Int64
        let trueTime: Int64?
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
        let settings: EffectiveSettings
    }

    // Room for most events, and small enough for what malloc keeps ready for each thread.
    private(set) var row = ByteWriter(capacity: 1008)
    private var scratch = ByteWriter(capacity: 1008)
    /// The parameters whose values were cut or left out.
    private(set) var truncated: [AtomicField] = []

    /// Writes an event without fault into ``row``.
    mutating func encode(_ source: Source, _ layers: SubjectLayers) {
        row.removeAll()
        row.append("{\"e\":\"")
        switch source.content {
        case .selfDescribing, .screenView, .invalid: row.append("ue")
        case .parameters(let type, _): row.append(raw: type.rawValue)
        }
        row.append("\",\"eid\":\"")
        row.append(source.id)
        row.append("\",\"dtm\":\"")
        row.append(decimal: source.wallTime)
        if let time = source.trueTime {
            row.append("\",\"ttm\":\"")
            row.append(decimal: time)
        }
        row.append(UInt8(ascii: "\""))
        appendParameters(source, layers)
        switch source.content {
        case .selfDescribing(let schema, let data): append(schema: schema, data: data, source.settings)
        case .screenView(let view):
            let screen = Screen(view, event: source.id)
            append(
                schema: ScreenView.schema,
                data: screen.eventData(previous: source.previousScreen), source.settings)
        case .parameters(let type, let parameters):
            for parameter in parameters {
                guard let value = parameter.value else { continue }
                // An event of the service's own may say a user as well.
                if source.isAnonymous, EventSubject.Fields(parameter: parameter.name)?.isSubset(of: .personal) == true {
                    continue
                }
                append(parameter.name, value, type)
            }
        case .invalid: break
        }
        appendEntities(source, layers)
        row.append(UInt8(ascii: "}"))
    }

    /// Appends the parameters of the application and the subject.
    private mutating func appendParameters(_ source: Source, _ layers: SubjectLayers) {
        let settings = source.settings
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
        if source.isAnonymous { fields.subtract(.personal) }
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
        scratch.append("{\"schema\":\"iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0\",\"data\":")
        scratch.append(schema: schema, data: data)
        scratch.append(UInt8(ascii: "}"))
        appendScratch(base64: ",\"ue_px\":\"", plain: ",\"ue_pr\":\"", settings)
    }

    private mutating func appendEntities(_ source: Source, _ layers: SubjectLayers) {
        let settings = source.settings
        scratch.removeAll()
        scratch.append("{\"schema\":\"iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1\",\"data\":[")
        let start = scratch.count
        append(entities: source.entities, isAnonymous: source.isAnonymous)
        append(entities: source.moreEntities, isAnonymous: source.isAnonymous)
        if let context = layers.scoped { append(entitiesOf: context, source) }
        if let context = layers.bound { append(entitiesOf: context, source) }
        if let session = source.session {
            session.write(to: &scratch, isAnonymous: source.isAnonymous)
            scratch.append(UInt8(ascii: ","))
        }
        if settings.hasScreen, let screen = source.screen { append(entities: [screen.entity], isAnonymous: false) }
        scratch.append(settings.entities)
        if settings.hasLocation { appendLocation(source, layers) }
        if scratch.count == start { return }
        // Each entity brought a comma after it; the last one is one too many.
        scratch.removeLast(1)
        scratch.append("]}")
        appendScratch(base64: ",\"cx\":\"", plain: ",\"co\":\"", settings)
    }

    private mutating func append(entities: [Entity], isAnonymous: Bool) {
        for entity in entities {
            scratch.append(entity: isAnonymous ? entity.anonymised : entity)
            scratch.append(UInt8(ascii: ","))
        }
    }

    /// Appends the entities of a context, of sessions only the one that belongs to the event's user.
    private mutating func append(entitiesOf context: TrackingContext, _ source: Source) {
        guard context.hasClientSession else { return scratch.append(context.encodedEntities) }
        let isSessionTaken = source.sessionContext === context
        append(
            entities: context.entities.filter { isSessionTaken || !$0.isClientSession },
            isAnonymous: source.isAnonymous)
    }

    /// Appends the location, which the tracker's subject has for its own user only.
    private mutating func appendLocation(_ source: Source, _ layers: SubjectLayers) {
        switch layers.location {
        case .some(let location): if let location { scratch.append(location.encodedEntity) }
        case .none: if source.isOwnUser { scratch.append(source.settings.locationEntity) }
        }
    }

    private mutating func appendScratch(base64: StaticString, plain: StaticString, _ settings: EffectiveSettings) {
        if settings.usesBase64 {
            row.append(base64)
            row.append(base64: scratch.bytes)
        } else {
            row.append(plain)
            row.append(escaping: scratch.bytes)
        }
        row.append(UInt8(ascii: "\""))
    }
}

extension EventContent {
    /// The fields of the subject that the event itself says, as the URL of a page view.
    var subjectFields: EventSubject.Fields {
        guard case .parameters(_, let parameters) = self else { return [] }
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
        guard !subjectFields.isDisjoint(with: .identity), case .parameters(_, let parameters) = self else { return nil }
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
