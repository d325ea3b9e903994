import Foundation

/// A request with its complete body.
package struct ServerRequest: Sendable {
    /// The method, as sent.
    package let method: String

    /// The request's target, as sent: path and query.
    package let target: String

    /// The path without the query, percent-decoded; as sent if it cannot be decoded.
    package let path: String

    /// The header fields in the order of the request.
    package let headers: [(name: String, value: String)]

    /// The body; empty if there is none.
    package var body: [UInt8]

    /// The number of the request's connection, from 1.
    package let connection: Int

    /// Whether the version is HTTP/1.1 rather than 1.0.
    var isVersion11 = true

    /// Creates a request, as a connection would.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: Path and query, percent-encoded.
    ///   - headers: The header fields; none by default.
    ///   - body: The body; empty by default.
    ///   - connection: The number of the connection; 1 by default.
    package init(
        method: String = "GET",
        target: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        connection: Int = 1
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.connection = connection
        let path = Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })
        self.path = path.removingPercentEncoding ?? String(path)
    }

    /// The parameters of the query in order, percent-decoded and with `+` as a space. They are decoded at each call.
    package var query: [(name: String, value: String)] {
        let query = target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return query.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (Self.decoded(name), Self.decoded(pair.dropFirst(name.count + 1)))
        }
    }

    /// Returns the value of a header field; nil if it was not sent.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: The value; if the field occurs several times, all values separated by commas.
    package func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        let text = Substring(text).replacing("+", with: " ")
        return text.removingPercentEncoding ?? String(text)
    }
}
