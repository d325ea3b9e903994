import Foundation
import TestSupport
import Testing
import TrackerLoopbackServer

@testable import demo_tracker

@Suite("The collector", .endsWhenItHangs, .mayBlock)
struct CollectorTests {
    private let collector = Collector()
    private static let path = "/com.snowplowanalytics.snowplow/tp2"
    private static let payloadData = "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4"

    private func envelope(_ rows: String) -> String {
        #"{"schema":"\#(Self.payloadData)","data":[\#(rows)]}"#
    }

    private func post(_ body: String, to path: String = Self.path) -> ServerReply? {
        collector.reply(to: ServerRequest(method: "POST", target: path, body: Array(body.utf8)))
    }

    private func status(_ reply: ServerReply?) -> Int? {
        guard case .response(let status, _, _, false) = reply else { return nil }
        return status
    }

    private func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func selfDescribing(_ schema: String, _ data: String) -> String {
        let envelope = "iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0"
        return #"{"schema":"\#(envelope)","data":{"schema":"iglu:\#(schema)","data":\#(data)}}"#
    }

    @Test("takes the events of an envelope, in their order", arguments: [path, "/a/b?c=d"])
    func envelopes(target: String) throws {
        #expect(status(post(envelope(#"{"e":"pv","url":"u"},{"e":"se"}"#), to: target)) == 200)
        #expect(
            collector.events() == [
                ReceivedEvent(parameters: ["e": "pv", "url": "u"], method: .post),
                ReceivedEvent(parameters: ["e": "se"], method: .post),
            ])
        #expect(collector.counts == Collector.Counts(events: 2, rejected: 0))
    }

    @Test("takes the event of a query, and answers with a picture")
    func query() throws {
        let reply = collector.reply(to: ServerRequest(target: "/i?e=pv&page=a+b%2B&url="))
        guard case .response(200, let headers, let body, false) = reply else {
            Issue.record("not taken")
            return
        }
        #expect(headers.first?.value == "image/gif")
        #expect(body.starts(with: "GIF89a".utf8))
        #expect(body.count == 43)
        #expect(
            collector.events() == [ReceivedEvent(parameters: ["e": "pv", "page": "a b+", "url": ""], method: .get)])
    }

    @Test(
        "leaves other requests alone",
        arguments: [
            ("GET", path), ("PUT", path), ("POST", "/a"), ("POST", "/a/b/c"), ("POST", "/a/"), ("POST", "//b"),
            ("POST", "/i"), ("GET", "/"), ("GET", "/i/x"), ("HEAD", "/i?e=pv"),
        ])
    func otherRequests(method: String, target: String) {
        #expect(collector.reply(to: ServerRequest(method: method, target: target)) == nil)
        #expect(collector.counts == Collector.Counts())
    }

    @Test(
        "refuses and counts a body that is no envelope, and a query without parameters",
        arguments: [
            "", "[]", #"{"data":[{"e":"pv"}]}"#, #"{"schema":"\#(payloadData)","data":{"e":"pv"}}"#,
            #"{"schema":"\#(payloadData)","data":[]}"#, #"{"schema":"\#(payloadData)","data":["pv"]}"#,
            #"{"schema":"\#(payloadData)","data":[{"e":"pv"},{"e":1}]}"#,
            #"{"schema":"\#(payloadData)","data":[{"e":"pv"}"#,
            #"{"schema":"iglu:com.acme/payload_data/jsonschema/1-0-4","data":[{"e":"pv"}]}"#,
        ])
    func noEnvelope(body: String) {
        #expect(status(post(body)) == 400)
        #expect(status(collector.reply(to: ServerRequest(target: "/i?"))) == 400)
        #expect(collector.events().isEmpty)
        #expect(collector.counts == Collector.Counts(events: 0, rejected: 2))
    }

    @Test("survives JSON of any depth on a connection's thread", arguments: [508, 512, 100_000])
    func deepJSON(depth: Int) throws {
        let server = try LoopbackServer { [collector] in
            let reply = collector.reply(to: $0)
            for event in collector.events() { _ = (event.summary, event.entities.count) }
            return reply ?? .drop
        }
        let client = try RawClient(port: server.port)
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let deep = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            let event = base64(Self.selfDescribing("com.acme/deep/jsonschema/1-0-0", deep))
            for (rows, status) in [(#"{"e":"ue","ue_px":"\#(event)"}"#, 200), (deep, 400)] {
                let body = envelope(rows)
                try client.send("POST \(Self.path) HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                #expect(try client.readAnswer().status == status)
            }
        }
    }

    @Test("keeps the newest events and counts all")
    func bounded() {
        let collector = Collector(capacity: 3)
        for number in 1...10 {
            _ = collector.reply(to: ServerRequest(target: "/i?n=\(number)"))
            #expect(collector.events().last?.parameters["n"] == "\(number)")
        }
        #expect(collector.events().map { $0.parameters["n"] } == ["8", "9", "10"])
        #expect(collector.counts.events == 10)
        #expect(collector.take().count == 3)
        #expect(collector.events().isEmpty)
        _ = collector.reply(to: ServerRequest(target: "/i?n=11"))
        #expect(collector.take().map { $0.parameters["n"] } == ["11"])
        #expect(collector.counts.events == 11)
    }

    @Test("no event is taken twice or lost between threads")
    func threads() async {
        await Threads.run(4) { _ in
            for _ in 0..<200 { _ = collector.reply(to: ServerRequest(target: "/i?e=pv")) }
        }
        #expect(collector.counts.events == 800)
        #expect(collector.take().count == 800)
    }

    @Test("decodes the event and the entities, encoded or plain", arguments: [true, false])
    func decoded(encoded: Bool) throws {
        // With these bytes, base64 has both characters that the URL-safe form replaces, and needs padding.
        let event = Self.selfDescribing("com.acme/order/jsonschema/1-0-0", #"{"text":"~~~???>>>ÿ","id":7}"#)
        let contexts =
            #"{"schema":"iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1","data":["#
            + #"{"schema":"iglu:com.acme/user/jsonschema/1-0-0","data":{"plan":"x"}},{"schema":"none"}]}"#
        let parameters =
            encoded
            ? ["e": "ue", "ue_px": base64(event), "cx": base64(contexts)] : ["e": "ue", "ue_pr": event, "co": contexts]
        let received = ReceivedEvent(parameters: parameters, method: .post)
        let order = try #require(received.selfDescribing)
        #expect(order.schema == "iglu:com.acme/order/jsonschema/1-0-0")
        #expect(order.text == #"{"id":7,"text":"~~~???>>>ÿ"}"#)
        #expect(received.entities.map(\.shortSchema) == ["com.acme/user/1-0-0"])
        #expect((received.entities.first?.data as? [String: String]) == ["plan": "x"])
    }

    /// The parameters of a self-describing event.
    private static func ue(_ schema: String, _ data: String) -> [String: String] {
        ["e": "ue", "ue_pr": selfDescribing("\(schema)/jsonschema/1-0-0", data)]
    }

    @Test(
        "says in a line what happened",
        arguments: [
            (["e": "se", "se_ca": "cart", "se_ac": "add"], "struct  cart / add"),
            (["e": "pv", "url": "https://acme.com/"], "page view  https://acme.com/"),
            (["e": "se", "se_ca": "two\nlines\r\n", "se_ac": "b"], "struct  two lines  / b"),
            (["e": "pv", "url": "\u{1B}[2J\u{7}\u{202E}"], "page view  \\u{1B}[2J\\u{07}\\u{202E}"),
            (["e": "pv"], "page view  ?"), (["e": "ue", "ue_px": "!"], "self-describing ?"),
            (["e": "xx"], "unknown  xx"), ([:], "unknown  ?"),
            (ue("com.snowplowanalytics.mobile/screen_view", #"{"name":"Pay","id":"x"}"#), "screen view  Pay"),
            (
                ue("com.acme/order", #"{ "url": "a/b", "id": 7 }"#),
                #"self-describing com.acme/order/1-0-0 {"id":7,"url":"a/b"}"#
            ),
            (
                ue("com.acme/order", #"{"text":"01234567890123456789012345678901234567890123456789"}"#),
                #"self-describing com.acme/order/1-0-0 {"text":"01234567890123456789012345678901234567890123456789…"#
            ),
        ])
    func summary(parameters: [String: String], line: String) {
        #expect(ReceivedEvent(parameters: parameters, method: .get).summary == line)
    }
}
