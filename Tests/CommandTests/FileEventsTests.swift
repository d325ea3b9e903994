import Foundation
import TestSupport
import Testing
import TrackerLoopbackServer
import TrackerTesting

@testable import demo_tracker

@Suite("The stream of a served file", .endsWhenItHangs, .mayBlock)
struct FileEventsTests {
    private let site = TemporaryDirectory()
    private let server: LoopbackServer

    init() throws {
        site.write(#"{"configurationVersion": 1}"#, to: "config.json")
        let files = FileServer(directory: site.path)
        server = try LoopbackServer { files.reply(to: $0) }
    }

    /// A client that has read the head and the first words of a stream.
    private func follow(_ target: String = "/config.json?stream", seen: String? = nil) throws -> RawClient {
        let client = try RawClient(port: server.port)
        try client.send("GET \(target) HTTP/1.1\r\n\(seen.map { "Last-Event-ID: \($0)\r\n" } ?? "")\r\n")
        let head = try Self.read(client, until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"))
        #expect(try Self.read(client, until: "\n\n") == "retry: 1000\n\n")
        return client
    }

    private static func read(_ client: RawClient, until end: String) throws -> String {
        var text = ""
        while !text.hasSuffix(end) { text += String(decoding: try client.read(1), as: UTF8.self) }
        return text
    }

    /// The next event: its id and its data.
    private static func event(_ client: RawClient) throws -> (id: String, data: String) {
        let lines = try read(client, until: "\n\n").split(separator: "\n")
        try #require(lines.count == 3 && lines[0] == "event: changed", "\(lines)")
        return (String(lines[1].trimmingPrefix("id: ")), String(lines[2].trimmingPrefix("data: ")))
    }

    private func ask(_ target: String, _ method: String = "GET") throws -> RawClient.Answer {
        let client = try RawClient(port: server.port)
        try client.send("\(method) \(target) HTTP/1.1\r\nConnection: close\r\n\r\n")
        return try client.readAnswer(hasBody: method != "HEAD")
    }

    @Test("each file has one")
    func files() throws {
        site.write("{}", to: "a b.json")
        #expect(try ask("/absent.json?stream").status == 404)
        #expect(try ask("/a%20b.json?stream", "POST").status == 405)
        #expect(try ask("/a%20b.json?stream", "HEAD").headers["content-type"] == "text/event-stream")
    }

    @Test("an event names the version, and has the tag as its id")
    func event() throws {
        let client = try follow()
        site.write(#"{"configurationVersion": 2}"#, to: "config.json")
        let event = try Self.event(client)
        #expect(event.id == (try ask("/config.json").headers["etag"]))
        #expect(event.data == #"{"version":2}"#)
    }

    @Test("a file that is no document, that goes and comes again, and that is only touched")
    func otherChanges() throws {
        let client = try follow()
        try FileManager.default.removeItem(atPath: site.file("config.json"))
        site.write("text", to: "config.json")
        #expect(try Self.event(client).data == "{}")
        let date = Date(timeIntervalSince1970: 784_111_777)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: site.file("config.json"))
        // Follows long enough to see both.
        let other = try follow(seen: "\"x\"")
        #expect(try Self.event(other).data == "{}")
        site.write(#"{"configurationVersion": 3}"#, to: "config.json")
        #expect(try Self.event(client).data == #"{"version":3}"#)
    }

    @Test("a client that comes again gets the change that it has missed, and only that")
    func comesAgain() throws {
        let first = try #require(try ask("/config.json").headers["etag"])
        let same = try follow(seen: first)
        site.write(#"{"configurationVersion": 2}"#, to: "config.json")
        let event = try Self.event(same)
        #expect(event.data == #"{"version":2}"#)
        #expect(try Self.event(follow(seen: first)) == event)
    }
}
