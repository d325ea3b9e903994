import TrackerCore

extension Command {
    /// The subject under a key: an object with the keys of `subjectConfiguration` and of a web session and a page; null
    /// clears a field.
    func subject(_ key: String) throws(CommandError) -> EventSubject? {
        guard try object(key) != nil, case .object(let members)? = node(key)?.content else { return nil }
        var subject = EventSubject()
        for member in members {
            let (name, value) = (member.name, member.value)
            if name == "userAnonymisation" {
                guard let isAnonymous = value.value.bool else { throw fault("'\(key).\(name)' is not a boolean") }
                subject.isAnonymous = isAnonymous
                continue
            }
            guard let field = EventSubject.fields.first(where: { $0.name == name }), let cleared = Self.fields[name]
            else { throw fault("there is no '\(key).\(name)'") }
            if value.isNull { subject.cleared.insert(cleared) }
            var reason: String?
            do throws(FieldMismatch) {
                try field.read(value, &subject) { reason = $0 }
            } catch {
                reason = error.reason
            }
            if field.json(subject) == nil, let reason { throw fault("'\(key).\(name)': \(reason)") }
        }
        return subject
    }

    private static let fields: [String: EventSubject.Fields] = [
        "userId": .userID, "domainUserId": .domainUserID, "networkUserId": .networkUserID, "language": .language,
        "domainSessionId": .domainSessionID, "domainSessionIndex": .domainSessionIndex, "ipAddress": .ipAddress,
        "useragent": .userAgent, "timezone": .timeZone, "screenResolution": .screenResolution, "viewport": .viewport,
        "colorDepth": .colorDepth, "url": .url, "referrer": .referrer, "pageTitle": .pageTitle, "location": .location,
    ]
}
