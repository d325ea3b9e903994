import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

@testable import demo_tracker

@Suite("The collector", .endsWhenItHangs, .mayBlock)
struct CollectorTests {
    private static let path = "/com.snowplowanalytics.snowplow/tp2"
    private static let payloadData = "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4"

    private static func envelope(_ rows: String) -> String {
        #"{"schema":"\#(payloadData)","data":[\#(rows)]}"#
    }

    /// The status and the events' parameters of an answer; nil if it is no request for a collector.
    private func ask(_ method: String, _ target: String, _ body: String = "") -> (status: Int, events: [JSONObject])? {
        let request = ServerRequest(method: method, target: target, body: Array(body.utf8))
        guard let (reply, events) = Collector.answer(request),
            case .response(let status, _, _, false) = reply
        else { return nil }
        return (status, events.map(\.parameters))
    }

    private static func selfDescribing(_ schema: String, _ data: String) -> String {
        let envelope = "iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0"
        return #"{"schema":"\#(envelope)","data":{"schema":"iglu:\#(schema)","data":\#(data)}}"#
    }

    @Test("takes the events of an envelope, in their order", arguments: [path, "/a/b?c=d"])
    func envelopes(target: String) throws {
        let answer = try #require(ask("POST", target, Self.envelope(#"{"e":"pv","url":"u"},{"e":"se"}"#)))
        #expect(answer.status == 200)
        #expect(answer.events == [["e": "pv", "url": "u"], ["e": "se"]])
    }

    @Test("takes the event of a query")
    func query() throws {
        let answer = try #require(ask("GET", "/i?e=pv&page=a+b%2B&eid=1"))
        #expect(answer.status == 200)
        #expect(answer.events == [["e": "pv", "page": "a b+", "eid": "1"]])
    }

    @Test(
        "leaves other requests alone",
        arguments: [
            ("GET", path), ("PUT", path), ("POST", "/a"), ("POST", "/a/b/c"), ("POST", "/a/"), ("POST", "//b"),
            ("POST", "/i"), ("GET", "/"), ("GET", "/i/x"), ("HEAD", "/i?e=pv"),
        ])
    func otherRequests(method: String, target: String) {
        #expect(ask(method, target) == nil)
    }

    @Test(
        "refuses a body that is no envelope of events, of any depth, and a query that is no event",
        arguments: [
            "", "[]", #"{"data":[{"e":"pv"}]}"#, #"{"schema":"\#(payloadData)","data":{"e":"pv"}}"#,
            #"{"schema":"\#(payloadData)","data":[]}"#, #"{"schema":"\#(payloadData)","data":["pv"]}"#,
            #"{"schema":"\#(payloadData)","data":[{"e":"pv"}"#,
            #"{"schema":"iglu:com.acme/payload_data/jsonschema/1-0-4","data":[{"e":"pv"}]}"#,
            envelope(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)),
        ])
    func noEnvelope(body: String) throws {
        for answer in [ask("POST", Self.path, body), ask("GET", "/i?"), ask("GET", "/i?e=pv")] {
            #expect(answer?.status == 400 && answer?.events == [])
        }
    }

    /// The parameters of a self-describing event.
    private static func ue(_ schema: String, _ data: String) -> [String: String] {
        ["e": "ue", "ue_pr": selfDescribing("\(schema)/jsonschema/1-0-0", data)]
    }

    @Test(
        "says in a line what happened",
        arguments: [
            (["e": "se", "se_ca": "cart", "se_ac": "add"], "struct  cart / add"),
            (["e": "se", "se_ca": "cart", "se_ac": "add", "uid": "u-1"], "struct  cart / add  user u-1"),
            (["e": "pv", "url": "https://acme.com/"], "page view  https://acme.com/"),
            (["e": "se", "se_ca": "two\nlines\r\n", "se_ac": "b"], "struct  two lines  / b"),
            (["e": "pv", "url": "\u{1B}[2J\u{7}\u{202E}"], "page view  \\u{1B}[2J\\u{07}\\u{202E}"),
            (["e": "pv"], "page view  ?"), (["e": "ue", "ue_px": "!"], "self-describing ?"),
            (["e": "xx"], "unknown  xx"), ([:], "unknown  ?"),
            (ue("com.snowplowanalytics.mobile/screen_view", #"{"name":"Pay","id":"x"}"#), "screen view  Pay"),
            (
                ue("com.acme/order", #"{ "url": "a/b", "id": 7 }"#),
                #"self-describing com.acme/order/1-0-0 {"url":"a/b","id":7}"#
            ),
            (
                ue("com.acme/order", #"{"text":"01234567890123456789012345678901234567890123456789"}"#),
                #"self-describing com.acme/order/1-0-0 {"text":"01234567890123456789012345678901234567890123456789…"#
            ),
        ])
    func summary(parameters: [String: String], line: String) {
        let parameters = parameters.map { ($0.key, JSONValue.string($0.value)) }
        #expect(EventPayload(JSONObject(parameters)).summary == line)
    }
}
