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
}
