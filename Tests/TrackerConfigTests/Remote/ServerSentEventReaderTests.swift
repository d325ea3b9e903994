import TestSupport
import Testing
import TrackerFeatures

@Suite("Server-sent events", .endsWhenItHangs)
struct ServerSentEventReaderTests {
    private typealias Event = ServerSentEventReader.Event

    private static func event(_ name: String, _ data: String) -> Event { Event(name: name, data: Array(data.utf8)) }

    private static func read(_ text: String, inPieces size: Int = .max) throws -> [Event] {
        var reader = ServerSentEventReader(maxSize: 1000)
        var rest = Array(text.utf8)[...]
        var events: [Event] = []
        while !rest.isEmpty {
            events += try reader.read(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return events
    }

    @Test(
        "events end with an empty line, whatever ends the lines and wherever the pieces are cut",
        arguments: ["\n", "\r\n", "\r"], [1, 2, 3, 7, .max])
    func lines(end: String, size: Int) throws {
        let text =
            "\u{FEFF}event: features\ndata: {\"a\":\ndata:1}\nid: 7\n\n: comment\n\nretry: 3\ndata\n\nevent: x\n\ndata: half"
        let events = try Self.read(text.replacing("\n", with: end), inPieces: size)
        #expect(events == [Self.event("features", "{\"a\":\n1}"), Self.event("message", "")])
    }

    @Test("an empty piece between the two ends of a line changes nothing")
    func emptyPiece() throws {
        var reader = ServerSentEventReader(maxSize: 100)
        #expect(try reader.read(Array("data: 1\r".utf8)).isEmpty)
        #expect(try reader.read([]).isEmpty)
        #expect(try reader.read(Array("\ndata: 2\r\n\r\n".utf8)) == [Self.event("message", "1\n2")])
    }

    @Test(
        "a line or an event over the bound is an error",
        arguments: ["data: \(String(repeating: "x", count: 90))", "data: 1\n"])
    func tooLarge(line: String) throws {
        var reader = ServerSentEventReader(maxSize: 50)
        #expect(throws: ServerSentEventReader.TooLarge.self) {
            for _ in 0..<60 { _ = try reader.read(Array(line.utf8)) }
        }
        // The bound is of each event, and not of the stream.
        var endless = ServerSentEventReader(maxSize: 50)
        for _ in 0..<10 { #expect(try endless.read(Array("data: 0123456789\n\n".utf8)).count == 1) }
    }

    @Test(
        "a time to retry consists of digits, and the last one counts",
        arguments: [
            ("retry: 10\n", 10), ("retry:0\n", 0), ("retry: 10", nil), ("retry: 1\nretry: 2\n", 2), ("retry\n", nil),
            ("retry: -1\n", nil), ("retry: 1.5\n", nil), ("retry: 1 \n", nil), ("retry: ٣\n", nil),
            ("retry: 5\nretry: x\n", 5), ("retry: 99999999999999999999\n", .max),
        ] as [(String, Int?)])
    func retry(text: String, milliseconds: Int?) throws {
        var reader = ServerSentEventReader(maxSize: 100)
        _ = try reader.read(Array(text.utf8))
        #expect(reader.retry == milliseconds)
    }
}
