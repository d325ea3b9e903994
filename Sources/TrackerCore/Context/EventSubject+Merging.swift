extension EventSubject {
    /// Takes the fields that are unset in this subject from one of lower precedence.
    mutating func merge(over other: EventSubject) {
        values.merge(over: other.values)
    }

    /// Removes what anonymous events leave out, if the subject is anonymous.
    mutating func anonymise() {
        guard isAnonymous else { return }
        var values = values
        (values.userID, values.domainUserID, values.networkUserID, values.ipAddress) = (nil, nil, nil, nil)
        self.values = values
    }

    /// Returns this subject with its unset fields taken from another one.
    /// - Parameter other: The subject with the next precedence.
    /// - Returns: The merged subject, anonymous if one of them is.
    public func merged(over other: EventSubject) -> EventSubject {
        var subject = self
        subject.merge(over: other)
        return subject
    }
}

extension EventSubject.Values {
    /// The fields that have a value.
    var fields: EventSubject.Fields {
        var fields = EventSubject.Fields()
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

    /// Takes the fields that have no value here and are not cleared from others.
    mutating func merge(over other: Self) {
        if userID == nil, !cleared.contains(.userID) { userID = other.userID }
        if domainUserID == nil, !cleared.contains(.domainUserID) { domainUserID = other.domainUserID }
        if networkUserID == nil, !cleared.contains(.networkUserID) { networkUserID = other.networkUserID }
        if domainSessionID == nil, !cleared.contains(.domainSessionID) { domainSessionID = other.domainSessionID }
        if domainSessionIndex == nil, !cleared.contains(.domainSessionIndex) {
            domainSessionIndex = other.domainSessionIndex
        }
        if ipAddress == nil, !cleared.contains(.ipAddress) { ipAddress = other.ipAddress }
        if userAgent == nil, !cleared.contains(.userAgent) { userAgent = other.userAgent }
        if timeZone == nil, !cleared.contains(.timeZone) { timeZone = other.timeZone }
        if language == nil, !cleared.contains(.language) { language = other.language }
        if screenResolution == nil, !cleared.contains(.screenResolution) { screenResolution = other.screenResolution }
        if viewport == nil, !cleared.contains(.viewport) { viewport = other.viewport }
        if colorDepth == nil, !cleared.contains(.colorDepth) { colorDepth = other.colorDepth }
        if url == nil, !cleared.contains(.url) { url = other.url }
        if referrer == nil, !cleared.contains(.referrer) { referrer = other.referrer }
        if pageTitle == nil, !cleared.contains(.pageTitle) { pageTitle = other.pageTitle }
        if location == nil, !cleared.contains(.location) { location = other.location }
        isAnonymous = isAnonymous || other.isAnonymous
        cleared.formUnion(other.cleared)
    }
}
