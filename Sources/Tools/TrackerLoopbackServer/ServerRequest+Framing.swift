extension ServerRequest {
    /// How the length of a body is sent.
    enum Framing: Equatable {
        /// So many bytes follow.
        case length(Int)
        /// Chunks follow, the last of which is empty.
        case chunked
    }

    /// How the length of this request's body is sent; throws where the head contradicts itself.
    var framing: Framing {
        get throws(RequestFault) {
            let length = header("Content-Length")
            if let coding = header("Transfer-Encoding") {
                // Both at once is how requests are smuggled (RFC 9112, 6.1).
                guard length == nil, isVersion11 else { throw .malformed }
                guard coding.isEqualIgnoringCase(to: "chunked") else { throw .unknownTransferCoding }
                return .chunked
            }
            guard let length else { return .length(0) }
            guard !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else { throw .malformed }
            guard let length = Int(length) else { throw .bodyTooLarge }
            return .length(length)
        }
    }

    /// Whether the client waits for a word before it sends the body.
    var expectsContinue: Bool {
        isVersion11 && header("Expect")?.isEqualIgnoringCase(to: "100-continue") == true
    }

    /// Whether the client wants to send further requests on the connection.
    var keepsConnection: Bool {
        let options = header("Connection")?.split(separator: ",") ?? []
        return isVersion11
            && !options.contains { String($0.filter { $0 != " " }).isEqualIgnoringCase(to: "close") }
    }
}
