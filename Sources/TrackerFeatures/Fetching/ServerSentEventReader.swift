/// Parses server-sent events as they arrive (https://html.spec.whatwg.org/multipage/server-sent-events.html).
package struct ServerSentEventReader: Sendable {
    /// An event with data.
    package struct Event: Sendable, Hashable {
        /// The event's name; `message` if the server sends none.
        package let name: String

        /// The lines of data, with a line feed between them.
        package let data: [UInt8]

        package init(name: String, data: [UInt8]) { (self.name, self.data) = (name, data) }
    }

    /// An event is larger than the reader allows.
    package struct TooLarge: Error {}

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let usualSize = 4096

    /// The id of the last event, including events without data; empty before the first. It is sent to servers as
    /// `Last-Event-ID`.
    package private(set) var lastEventID: String

    /// The pause before the next connection that the server requested, in milliseconds; nil if it requested none.
    package private(set) var retry: Int?

    private let maxSize: Int
    private var line: [UInt8] = []
    private var id: String
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var isFirstLine = true
    // A following line feed belongs to the same line end.
    private var endsWithReturn = false

    /// Creates a reader.
    /// - Parameters:
    ///   - maxSize: The maximum size of an event in bytes.
    ///   - lastEventID: The id of the previous connection's last event; empty by default.
    package init(maxSize: Int, lastEventID: String = "") {
        self.maxSize = maxSize
        (self.lastEventID, id) = (lastEventID, lastEventID)
    }

    /// Reads a piece of the stream, which need not begin or end at a line.
    /// - Parameter bytes: The piece.
    /// - Returns: The events that end in the piece.
    /// - Throws: ``TooLarge`` if a line or an event exceeds the limit.
    package mutating func read(_ bytes: [UInt8]) throws(TooLarge) -> [Event] {
        var events: [Event] = []
        var rest = bytes[...]
        if endsWithReturn, let first = rest.first {
            endsWithReturn = false
            if first == UInt8(ascii: "\n") { rest.removeFirst() }
        }
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            try append(rest[..<end])
            var next = end + 1
            if rest[end] == UInt8(ascii: "\r") {
                if next == rest.endIndex {
                    endsWithReturn = true
                } else if rest[next] == UInt8(ascii: "\n") {
                    next += 1
                }
            }
            rest = rest[next...]
            if let event = endLine() { events.append(event) }
        }
        try append(rest)
        return events
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(TooLarge) {
        guard line.count + data.count + bytes.count <= maxSize else { throw TooLarge() }
        line += bytes
    }

    /// Parses a complete line.
    /// - Returns: The event that the line completes; nil if it completes none.
    private mutating func endLine() -> Event? {
        // A stream that waits for hours must not keep the memory of a large event.
        defer { line.removeAll(keepingCapacity: line.capacity <= Self.usualSize) }
        var content = line[...]
        if isFirstLine, content.starts(with: Self.mark) { content = content.dropFirst(Self.mark.count) }
        isFirstLine = false
        guard !content.isEmpty else { return endEvent() }
        let field = content.prefix { $0 != UInt8(ascii: ":") }
        var value = content.dropFirst(field.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if field.elementsEqual("event".utf8) {
            name = String(decoding: value, as: UTF8.self)
        } else if field.elementsEqual("data".utf8) {
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        } else if field.elementsEqual("id".utf8) {
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        } else if field.elementsEqual("retry".utf8) {
            // Only digits are allowed; a number too large for an integer is also a very long time.
            let isNumber = !value.isEmpty && value.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            if isNumber { retry = Int(String(decoding: value, as: UTF8.self)) ?? .max }
        }
        // Comments begin with a colon.
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer { (name, data, hasData) = ("", [], false) }
        lastEventID = id
        return hasData ? Event(name: name.isEmpty ? "message" : name, data: data) : nil
    }
}
