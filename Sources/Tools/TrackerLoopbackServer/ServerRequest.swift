import Foundation

/// A request as the handler gets it, with its whole body.
package struct ServerRequest: Sendable {
    /// The method, as sent.
    package let method: String

    /// The request's target, as sent: path and query.
    package let target: String

    /// The path without the query, percent-decoded; as sent if it cannot be decoded.
    package let path: String

    /// The header fields in the order they came.
    package let headers: [(name: String, value: String)]

    /// The body; empty if there is none.
    package var body: [UInt8]

    /// The number of the connection it came on, from 1.
    package let connection: Int

    /// Whether the client speaks HTTP/1.1 and not 1.0.
    var isVersion11 = true

    /// Makes a request, as one would come over a connection.
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

    /// The parameters of the query in their order, percent-decoded and with `+` as a space; decoded at each call.
    package var query: [(name: String, value: String)] {
        let query = target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return query.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (Self.decoded(name), Self.decoded(pair.dropFirst(name.count + 1)))
        }
    }

    /// The value of a header field, or nil if it was not sent.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: The value; where the field stands several times, all values with a comma between.
    package func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        let text = Substring(text).replacing("+", with: " ")
        return text.removingPercentEncoding ?? String(text)
    }
}
