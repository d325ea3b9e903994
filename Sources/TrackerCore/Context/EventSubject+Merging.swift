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
        if userID != nil { fields.insert(.userID) }
        if domainUserID != nil { fields.insert(.domainUserID) }
        if networkUserID != nil { fields.insert(.networkUserID) }
        if domainSessionID != nil { fields.insert(.domainSessionID) }
        if domainSessionIndex != nil { fields.insert(.domainSessionIndex) }
        if ipAddress != nil { fields.insert(.ipAddress) }
        if userAgent != nil { fields.insert(.userAgent) }
        if timeZone != nil { fields.insert(.timeZone) }
        if language != nil { fields.insert(.language) }
        if screenResolution != nil { fields.insert(.screenResolution) }
        if viewport != nil { fields.insert(.viewport) }
        if colorDepth != nil { fields.insert(.colorDepth) }
        if url != nil { fields.insert(.url) }
        if referrer != nil { fields.insert(.referrer) }
        if pageTitle != nil { fields.insert(.pageTitle) }
        if location != nil { fields.insert(.location) }
        return fields
    }

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
}
