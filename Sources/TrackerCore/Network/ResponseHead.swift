/// The status lines, headers and trailers of a response, received line by line.
///
/// Headers of interim responses (1xx) and trailers are counted and left out (RFC 9110, sections 15.2 and 6.5.1).
struct ResponseHead {
    /// Whether the headers of the final response are complete.
    private(set) var isOver = false

    /// The headers of the final response, in order.
    private(set) var headers: [HTTPHeader] = []

    /// The size of all lines so far, in bytes.
    private(set) var size = 0

    private var isInterim = false

    /// Receives one line, including its end.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        size += bytes.count
        if isOver { return }
        let line = String(decoding: bytes, as: UTF8.self).trimmed
        if line.hasPrefix("HTTP/") {
            isInterim = line.drop { $0 != " " }.hasPrefix(" 1")
        } else if line.isEmpty {
            isOver = !isInterim
        } else if !isInterim, let colon = line.firstIndex(of: ":") {
            headers.append(HTTPHeader(name: String(line[..<colon]), value: line[line.index(after: colon)...].trimmed))
        }
    }
}
