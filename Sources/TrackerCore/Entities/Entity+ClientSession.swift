extension Entity {
    /// The schema of the session of one user.
    package static let clientSessionSchema = "iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2"

    /// The user's id in the sessions of anonymous events.
    static let anonymousUserID = "00000000-0000-0000-0000-000000000000"

    /// Whether the entity is a session, of any version of the schema.
    var isClientSession: Bool {
        // The length alone rules out most schemas.
        let length = schema.utf8.count
        return length >= Self.clientSessionSchema.utf8.count && length < 80
            && schema.hasPrefix("iglu:com.snowplowanalytics.snowplow/client_session/")
    }

    /// The entity as an anonymous event carries it: a session without its user and its previous session.
    var anonymised: Entity {
        guard isClientSession else { return self }
        var entity = self
        entity.data["userId"] = .string(Self.anonymousUserID)
        if entity.data["previousSessionId"] != nil { entity.data["previousSessionId"] = .null }
        return entity
    }
}
