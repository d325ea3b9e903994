extension EventSubject {
    /// Creates a subject from the id cookie of Snowplow's JavaScript tracker, so that a service's events join the
    /// user's web session: ``domainUserID``, ``domainSessionIndex`` and ``domainSessionID``.
    ///
    /// The cookie comes from the user, so it is checked: the parts are
    /// `domainUserID.created.sessionIndex.now.lastVisit.sessionID…`, of which the times and the index are digits, and
    /// the ids are at most 128 letters, digits and `-`. The last part was added later and may be missing; a visitor
    /// that the web tracker leaves anonymous has no id.
    ///
    /// The result is nil if the text is not such a cookie, which is not an error.
    /// - Parameter idCookie: The value of the cookie `_sp_id.…`.
    public init?(idCookie: String) {
        // No browser sends a longer cookie.
        guard idCookie.utf8.count <= 4096 else { return nil }
        let parts = idCookie.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 5, Self.isID(parts[0]), parts[1...3].allSatisfy(Self.isNumber),
            parts[4].isEmpty || Self.isNumber(parts[4]), let index = Int32(parts[2])
        else { return nil }
        let sessionID = parts.count > 5 ? parts[5] : ""
        guard Self.isID(sessionID) else { return nil }
        self.init(
            domainUserID: parts[0].isEmpty ? nil : String(parts[0]),
            domainSessionID: sessionID.isEmpty ? nil : String(sessionID), domainSessionIndex: Int(index))
    }

    /// Creates a subject from the first id cookie of Snowplow's JavaScript tracker in a request; nil if
    /// ``init(idCookie:)`` accepts none of the cookies.
    /// - Parameter cookieHeader: The value of the request's `Cookie` header, such as `a=b; _sp_id.1fff=…`.
    public init?(cookieHeader: String) {
        for cookie in cookieHeader.split(separator: ";") {
            let pair = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0] == "_sp_id" || pair[0].hasPrefix("_sp_id.") else { continue }
            if let subject = EventSubject(idCookie: String(pair[1])) {
                self = subject
                return
            }
        }
        return nil
    }

    private static func isNumber(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.count <= 16 && part.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    private static func isID(_ part: Substring) -> Bool {
        part.utf8.count <= 128
            && part.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: "-")
            }
    }
}
