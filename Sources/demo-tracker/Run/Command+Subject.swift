import TrackerCore

extension Command {
    /// The subject under a key: an object of the keys of `subjectConfiguration` and those of a web session and a page; null
    /// clears a field.
    func subject(_ key: String) throws(CommandError) -> EventSubject? {
        guard let object = try object(key) else { return nil }
        var subject = EventSubject()
        for (name, value) in object.members {
            if name == "userAnonymisation" {
                guard let isAnonymous = value.bool else { throw fault("'\(key).\(name)' is not a boolean") }
                subject.isAnonymous = isAnonymous
                continue
            }
            guard let field = Self.subjectFields[name] else { throw fault("there is no '\(key).\(name)'") }
            if value == .null {
                subject.cleared.insert(field.field)
            } else if !field.set(&subject, value) {
                throw fault("'\(key).\(name)' is not \(field.kind)")
            }
        }
        return subject
    }

    private struct SubjectField {
        let field: EventSubject.Fields
        let kind: String
        /// Sets the field, and returns whether the value is of its kind.
        let set: @Sendable (inout EventSubject, JSONValue) -> Bool
    }

    private static func field<Value>(
        _ field: EventSubject.Fields, _ path: any WritableKeyPath<EventSubject, Value?> & Sendable, _ kind: String,
        _ convert: @escaping @Sendable (JSONValue) -> Value?
    ) -> SubjectField {
        SubjectField(field: field, kind: kind) { subject, value in
            subject[keyPath: path] = convert(value)
            return subject[keyPath: path] != nil
        }
    }

    private static func text(
        _ field: EventSubject.Fields, _ path: any WritableKeyPath<EventSubject, String?> & Sendable
    ) -> SubjectField {
        self.field(field, path, "a string") { $0.string }
    }

    private static func pixels(_ value: JSONValue) -> PixelSize? { value.string.flatMap { PixelSize($0) } }

    private static let subjectFields: [String: SubjectField] = [
        "userId": text(.userID, \.userID), "domainUserId": text(.domainUserID, \.domainUserID),
        "networkUserId": text(.networkUserID, \.networkUserID),
        "domainSessionId": text(.domainSessionID, \.domainSessionID),
        "domainSessionIndex": field(.domainSessionIndex, \.domainSessionIndex, "an integer") { $0.int },
        "ipAddress": text(.ipAddress, \.ipAddress), "useragent": text(.userAgent, \.userAgent),
        "timezone": text(.timeZone, \.timeZone), "language": text(.language, \.language),
        "screenResolution": field(.screenResolution, \.screenResolution, "a size like 1920x1080", pixels),
        "viewport": field(.viewport, \.viewport, "a size like 1920x1080", pixels),
        "colorDepth": field(.colorDepth, \.colorDepth, "an integer") { $0.int },
        "url": text(.url, \.url), "referrer": text(.referrer, \.referrer), "pageTitle": text(.pageTitle, \.pageTitle),
    ]
}
