/// The status line and the header fields of an answer.
struct ReplyHead {
    /// The status.
    let status: Int

    /// The header fields.
    var headers: [(name: String, value: String)]

    /// Creates the head of a complete answer to `method` with a body of `length` bytes.
    init(status: Int, headers: [(name: String, value: String)], length: Int, closes: Bool) {
        self.status = status
        self.headers = headers.filter { $0.name.lowercased() != "content-length" }
        if allowsBody { self.headers.append(("Content-Length", String(length))) }
        if closes { self.headers.append(("Connection", "close")) }
    }

    /// Creates the head of an answer that ends when the connection closes.
    init(streaming status: Int, headers: [(name: String, value: String)]) {
        self.status = status
        self.headers = headers + [("Connection", "close")]
    }

    /// Whether an answer with this status may have a body.
    var allowsBody: Bool {
        status >= 200 && status != 204 && status != 304
    }

    /// The serialized head, including the empty line at its end.
    var bytes: [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n"
        for (name, value) in headers {
            text += name
            text += ": "
            text += value
            text += "\r\n"
        }
        text += "\r\n"
        return Array(text.utf8)
    }

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 410: "Gone", 413: "Content Too Large",
        422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
