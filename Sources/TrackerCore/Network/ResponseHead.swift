/// The status lines, headers and trailers of a response, as they come line by line.
///
/// Headers of interim responses (1xx) and trailers are counted and left out (RFC 9110, sections 15.2 and 6.5.1).
struct ResponseHead {
    private enum State {
        case begins
        case headers(isInterim: Bool)
        case isOver
    }

    private var state = State.begins

    /// Whether the headers of the final response are complete.
    var isOver: Bool { if case .isOver = state { true } else { false } }

    /// The headers of the final response, in order.
    private(set) var headers: [HTTPHeader] = []

    /// The bytes of all lines so far.
    private(set) var size = 0

    /// Whether more came than is received.
    var isTooLarge = false

    /// Receives one line, its end included.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        size += bytes.count
        let line = String(decoding: bytes, as: UTF8.self)
        switch state {
        case .begins:
            let words = line.split(separator: " ", maxSplits: 1)
            state = .headers(isInterim: words.count == 2 && words[1].hasPrefix("1"))
        case .headers(let isInterim):
            let text = line.trimmed
            if text.isEmpty {
                state = isInterim ? .begins : .isOver
            } else if !isInterim, let colon = text.firstIndex(of: ":") {
                headers.append(
                    HTTPHeader(name: String(text[..<colon]), value: text[text.index(after: colon)...].trimmed))
            }
        case .isOver: break
        }
    }
}
