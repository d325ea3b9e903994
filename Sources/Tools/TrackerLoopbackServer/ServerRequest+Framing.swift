extension ServerRequest {
    /// The length of this request's body, in bytes; throws if the header fields contradict each other.
    var bodyLength: Int {
        get throws(RequestFault) {
            let length = header("Content-Length")
            // Both fields at once may be request smuggling (RFC 9112, 6.1).
            if header("Transfer-Encoding") != nil { throw length == nil && isVersion11 ? .transferCoding : .malformed }
            guard let length else { return 0 }
            guard !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else { throw .malformed }
            guard let length = Int(length) else { throw .bodyTooLarge }
            return length
        }
    }

    /// Whether the client keeps the connection open for further requests.
    var keepsConnection: Bool {
        let options = header("Connection")?.lowercased().split(separator: ",") ?? []
        return isVersion11 && !options.contains { $0.filter { $0 != " " } == "close" }
    }
}
