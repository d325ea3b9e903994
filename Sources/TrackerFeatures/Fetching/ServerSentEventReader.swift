/// Reads server-sent events as they come (https://html.spec.whatwg.org/multipage/server-sent-events.html).
package struct ServerSentEventReader: Sendable {
    /// An event with data.
    package struct Event: Sendable, Hashable {
        /// The event's name; `message` if the server names none.
        package let name: String

        /// The lines of data, with a line feed between them.
        package let data: [UInt8]
    }

    /// An event is larger than the reader allows.
    package struct TooLarge: Error {}

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let usualSize = 4096

    /// The id of the last event, also of one without data; empty before the first. A server is sent it as `Last-Event-ID`.
    package private(set) var lastEventID: String

    /// The pause before the next connection that the server asks for, in milliseconds; nil if it asks for none.
    package private(set) var retry: Int?

    private let maxSize: Int
    private var line: [UInt8] = []
    private var id: String
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var isFirstLine = true
    // A line feed after it belongs to the same end of a line.
    private var endsWithReturn = false

    /// Creates a reader.
    /// - Parameters:
    ///   - maxSize: The largest event in bytes.
    ///   - lastEventID: The id of the last event of the connection before; empty by default.
    package init(maxSize: Int, lastEventID: String = "") {
        self.maxSize = maxSize
        (self.lastEventID, id) = (lastEventID, lastEventID)
    }

    /// Reads a piece, which may begin and end anywhere.
    /// - Parameter bytes: The piece.
    /// - Returns: The events that end in it.
    /// - Throws: ``TooLarge`` if a line or an event exceeds the bound.
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

    /// Reads the line that has ended.
    /// - Returns: The event that it completes, if it does.
    private mutating func endLine() -> Event? {
        // A stream that waits for hours does not keep the memory of a large event.
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
            // Digits only, which more than an integer has are a very long time too.
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
