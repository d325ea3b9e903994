extension EventSubject {
    /// The subject of a tracker's settings.
    init(_ settings: SubjectConfiguration) {
        self.init(
            userID: settings.userID, domainUserID: settings.domainUserID, networkUserID: settings.networkUserID,
            domainSessionID: settings.domainSessionID, domainSessionIndex: settings.domainSessionIndex,
            ipAddress: settings.ipAddress, userAgent: settings.userAgent, timeZone: settings.timeZone,
            language: settings.language, screenResolution: settings.screenResolution, viewport: settings.viewport,
            colorDepth: settings.colorDepth, location: settings.location)
    }

    /// The fields that have a value.
    var fields: Fields {
        var fields = Fields()
        func note<Value>(_ value: Value?, _ field: Fields) { if value != nil { fields.insert(field) } }
        note(userID, .userID)
        note(domainUserID, .domainUserID)
        note(networkUserID, .networkUserID)
        note(domainSessionID, .domainSessionID)
        note(domainSessionIndex, .domainSessionIndex)
        note(ipAddress, .ipAddress)
        note(userAgent, .userAgent)
        note(timeZone, .timeZone)
        note(language, .language)
        note(screenResolution, .screenResolution)
        note(viewport, .viewport)
        note(colorDepth, .colorDepth)
        note(url, .url)
        note(referrer, .referrer)
        note(pageTitle, .pageTitle)
        note(location, .location)
        return fields
    }

    /// The fields that another source does not decide any more.
    var decided: Fields { fields.union(cleared) }

    /// Takes the fields that this subject says nothing of from one that comes after it.
    mutating func merge(over other: EventSubject) {
        func take<Value>(_ path: WritableKeyPath<EventSubject, Value?>, _ field: Fields) {
            if self[keyPath: path] == nil, !cleared.contains(field) { self[keyPath: path] = other[keyPath: path] }
        }
        take(\.userID, .userID)
        take(\.domainUserID, .domainUserID)
        take(\.networkUserID, .networkUserID)
        take(\.domainSessionID, .domainSessionID)
        take(\.domainSessionIndex, .domainSessionIndex)
        take(\.ipAddress, .ipAddress)
        take(\.userAgent, .userAgent)
        take(\.timeZone, .timeZone)
        take(\.language, .language)
        take(\.screenResolution, .screenResolution)
        take(\.viewport, .viewport)
        take(\.colorDepth, .colorDepth)
        take(\.url, .url)
        take(\.referrer, .referrer)
        take(\.pageTitle, .pageTitle)
        take(\.location, .location)
        isAnonymous = isAnonymous || other.isAnonymous
        cleared.formUnion(other.cleared)
    }

    /// Removes what anonymous events leave out, if the subject is anonymous.
    mutating func anonymise() {
        guard isAnonymous else { return }
        (userID, domainUserID, networkUserID, ipAddress) = (nil, nil, nil, nil)
    }

    /// Returns this subject with the fields that it says nothing of taken from another one.
    /// - Parameter other: The subject that comes after it.
    /// - Returns: The merged subject, anonymous if one of them is.
    public func merged(over other: EventSubject) -> EventSubject {
        var subject = self
        subject.merge(over: other)
        return subject
    }

    /// The value of a field that tells users apart.
    func identity(_ field: Fields) -> String? {
        switch field {
        case .userID: userID
        case .domainUserID: domainUserID
        default: domainSessionID
        }
    }
}
