import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerTesting

private struct OrderShipped: Event {
    var orderID: String
    var content: EventContent {
        .selfDescribing(schema: "iglu:com.acme/order/jsonschema/1-0-0", data: ["orderId": .string(orderID)])
    }
    var entities: [Entity] { [Entity(schema: "iglu:com.acme/own/jsonschema/1-0-0", data: ["a": 1])] }
}

private struct Custom: Event {
    var content: EventContent
}

@Suite("EventEncoder", .endsWhenItHangs)
struct EventEncoderTests {
    private let rig = Rig()

    private func sent(
        _ event: some Event, entities: [Entity] = [], _ configure: (inout ConfigurationBundle) -> Void = { _ in }
    ) async throws -> [String: String] {
        let tracker = try await rig.tracker {
            $0.tracker?.appID = "app"
            configure(&$0)
        }
        #expect(tracker.track(event, entities: entities) != nil)
        await tracker.flush()
        let request = try #require(rig.transport.requests.last)
        return request.method == "GET" ? request.query : try #require(request.events.last)
    }

    /// The parameters beside those that each event has.
    private func own(_ event: [String: String]) -> [String: String] {
        event.filter { !["eid", "dtm", "stm", "tv", "tna", "aid", "p"].contains($0.key) }
    }

    @Test("every event has an id, its times, the tracker, the application and the platform")
    func commonParameters() async throws {
        let event = try await sent(PageView(url: "u"))
        #expect(event["eid"]?.isLowercaseUUID == true)
        #expect(event["dtm"] == "1700000000000")
        #expect(event["stm"] == "1700000000000")
        #expect(event["tv"] == TrackerVersion.current)
        #expect(event["tna"] == "ns")
        #expect(event["aid"] == "app")
        #expect(event["p"] == "srv")
    }

    @Test("all of the subject is sent under its names, and nothing of what is unset")
    func subject() async throws {
        let event = try await sent(PageView(url: "u")) {
            $0.subject = EventSubject {
                $0.userID = "u"
                $0.domainUserID = "d"
                $0.networkUserID = "n"
                $0.ipAddress = "::1"
                $0.userAgent = "a"
                $0.timeZone = "UTC"
                $0.language = "en"
                $0.screenResolution = "1920x1080"
                $0.viewport = "1x2"
                $0.colorDepth = 24
            }
        }
        #expect(
            own(event) == [
                "e": "pv", "url": "u", "uid": "u", "duid": "d", "tnuid": "n", "ip": "::1", "ua": "a", "tz": "UTC",
                "lang": "en", "res": "1920x1080", "vp": "1x2", "cd": "24",
            ])
    }

    @Test("page views and structured events have their parameters, without those that are nil")
    func parameters() async throws {
        #expect(own(try await sent(PageView(url: "u"))) == ["e": "pv", "url": "u"])
        #expect(
            own(try await sent(PageView(url: "u", title: "t", referrer: "r")))
                == ["e": "pv", "url": "u", "page": "t", "refr": "r"])
        #expect(own(try await sent(Structured(category: "c", action: "a"))) == ["e": "se", "se_ca": "c", "se_ac": "a"])
        #expect(
            own(try await sent(Structured(category: "", action: "a", label: "l", property: "p", value: -1.5)))
                == ["e": "se", "se_ca": "", "se_ac": "a", "se_la": "l", "se_pr": "p", "se_va": "-1.5"])
    }

    @Test("self-describing events and entities are in their envelopes, base64 or not", arguments: [true, false])
    func selfDescribing(base64: Bool) async throws {
        let entity = Entity(schema: "iglu:com.acme/more/jsonschema/1-0-0", data: ["b": "é\"\\\n😀"])
        let event = try await sent(OrderShipped(orderID: "o-1 \u{0} \"x\""), entities: [entity]) {
            $0.tracker?.base64Encoding = base64
        }
        #expect(Set(own(event).keys) == (base64 ? ["e", "ue_px", "cx"] : ["e", "ue_pr", "co"]))
        #expect(event["e"] == "ue")
        #expect(
            event.envelopes.map { $0["schema"]?.string } == [
                "iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0",
                "iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1",
            ])
        #expect(
            event.event == [
                "schema": "iglu:com.acme/order/jsonschema/1-0-0", "data": ["orderId": "o-1 \u{0} \"x\""],
            ])
        #expect(
            event.entities == [
                ["schema": "iglu:com.acme/own/jsonschema/1-0-0", "data": ["a": 1]],
                ["schema": "iglu:com.acme/more/jsonschema/1-0-0", "data": ["b": "é\"\\\n😀"]],
            ])
    }

    @Test("an event of any size is whole, also one that just outgrows the memory that is there at first")
    func sizes() async throws {
        for base64 in [true, false] {
            let texts = (Array(560...720) + Array(900...1060)).map { String(repeating: "x", count: $0) }
            let rig = Rig()
            let tracker = try await rig.tracker { $0.tracker?.base64Encoding = base64 }
            for text in texts {
                let entity = Entity(schema: "iglu:com.acme/more/jsonschema/1-0-0", data: ["b": .string(text)])
                tracker.track(OrderShipped(orderID: "o"), entities: [entity])
            }
            await tracker.flush(timeout: .seconds(60))
            #expect(rig.events.map { $0.entities.last?["data"]?["b"]?.string } == texts)
        }
    }

    @Test("each event has its own schemas, also if there are more than heads are kept of", arguments: [true, false])
    func manySchemas(base64: Bool) async throws {
        let tracker = try await rig.tracker { $0.tracker?.base64Encoding = base64 }
        // One is longer than all whose heads are kept.
        let odd = ["", "iglu:x", String(repeating: "n", count: 600)]
        let names = odd + (0..<700).map { "iglu:com.acme/n\($0)/jsonschema/1-0-0" }
        let tracked = names + names.prefix(20)
        for name in tracked {
            let entities = ["a", "a"].map { Entity(schema: name + $0, data: ["of": .string(name)]) }
            tracker.track(SelfDescribing(schema: name, data: ["is": .string(name)]), entities: entities)
        }
        await tracker.flush(timeout: .seconds(60))
        let events = rig.events
        #expect(events.count == tracked.count)
        for (name, event) in zip(tracked, events) {
            let entities: [JSONValue] = ["a", "a"].map {
                ["schema": .string(name + $0), "data": ["of": .string(name)]]
            }
            if event.event != ["schema": .string(name), "data": ["is": .string(name)]] || event.entities != entities {
                Issue.record("\(name): \(event)")
                return
            }
        }
        #expect(tracker.counters.malformedSchemas > 0)
    }

    @Test("a timing is self-describing")
    func timing() async throws {
        let event = try await sent(Timing(category: "c", variable: "v", timing: 12.5))
        #expect(event.event?["schema"] == "iglu:com.snowplowanalytics.snowplow/timing/jsonschema/1-0-0")
        #expect(event.event?["data"] == ["category": "c", "variable": "v", "timing": 12.5])
        let labelled = try await sent(Timing(category: "c", variable: "v", timing: 1, label: "l"))
        #expect(labelled.event?["data"]?["label"] == "l")
    }

    @Test("a screen view has an id and names the one before if it is told")
    func screenViews() async throws {
        let view = try await sent(ScreenView(name: "one", type: "t1", transitionType: "fade"))
        #expect(view.event?["schema"] == "iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0")
        #expect(view.event?["data"]?["id"]?.string?.isLowercaseUUID == true)
        #expect(view.event?["data"]?["previousName"] == nil)
        let id = EventID(UUID())
        let next = try await sent(
            ScreenView(name: "two", id: id, previous: ScreenView.Previous(name: "home", id: id, type: "feed")))
        #expect(
            next.event?["data"] == [
                "name": "two", "id": .string("\(id)"), "previousName": "home", "previousId": .string("\(id)"),
                "previousType": "feed",
            ])
    }

    @Test("the settings attach the platform, the application and the place")
    func settingsEntities() async throws {
        let event = try await sent(PageView(url: "u")) {
            $0.tracker?.platformContext = true
            $0.tracker?.applicationContext = true
            $0.tracker?.applicationVersion = "1.2"
            $0.tracker?.applicationBuild = "34"
            $0.tracker?.geoLocationContext = true
            $0.subject = EventSubject { $0.location = GeoLocation(latitude: 1.5, longitude: -2) }
        }
        #expect(event.entity("desktop_context")?["osType"] == "Linux")
        #expect(event.entity("application") == ["version": "1.2", "build": "34"])
        #expect(event.entity("geolocation_context") == ["latitude": 1.5, "longitude": -2.0])
        #expect(event.entities.count == 3)
        #expect(own(try await sent(PageView(url: "u"))).keys.contains("cx") == false)
    }

    @Test("a GET carries what a POST does, however nasty the strings", arguments: [true, false])
    func getEqualsPost(base64: Bool) async throws {
        let nasty = [
            "a&b=c?d#e/f%20+ ", "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}", "é😀\u{202E}\u{FEFF}", "{\"a\":[1,2]}",
            "\\u0041\\n",
            "\",\"x\":\"y", String(repeating: "%", count: 50), "",
        ]
        for text in nasty {
            let event = Structured(category: text, action: "a", label: text)
            let entity = Entity(schema: text, data: [text: .string(text)])
            var parameters: [[String: String]] = []
            for method in NetworkConfiguration.Method.allCases {
                let sent = try await sent(event, entities: [entity]) {
                    $0.network?.method = method
                    $0.tracker?.base64Encoding = base64
                    $0.subject = EventSubject { $0.userID = text }
                }
                parameters.append(sent.filter { $0.key != "eid" })
            }
            #expect(parameters[0] == parameters[1])
            #expect(parameters[0]["se_ca"] == text)
            #expect(parameters[0]["uid"] == text)
            #expect(parameters[0].entities[0]["data"]?[text]?.string == text)
        }
    }

    @Test("a custom event cannot break the request that it is in", arguments: NetworkConfiguration.Method.allCases)
    func escapesParameterNames(method: NetworkConfiguration.Method) async throws {
        let name = "x\"&y= z\\é"
        let tracker = try await rig.tracker { $0.network?.method = method }
        tracker.track(1...1)
        tracker.track(
            Custom(
                content: .parameters(
                    .structured, [EventParameter(name: name, value: "v"), EventParameter(name: "n", value: nil)])))
        tracker.track(2...2)
        await tracker.flush()
        let events = method == .get ? rig.transport.requests.map(\.query) : rig.events
        #expect(events.count == 3)
        #expect(events.dropFirst().first?[name] == "v")
        #expect(events.last?["se_ac"] == "2")
        if method == .get {
            #expect(
                rig.transport.requests.allSatisfy { $0.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 } })
        }
    }

    @Test("an event that says it is invalid is refused")
    func refusesInvalidEvents() async throws {
        let tracker = try await rig.tracker()
        #expect(tracker.track(Custom(content: .invalid(reason: "the stars are wrong"))) == nil)
        #expect(tracker.counters.droppedByReason == [.invalid: 1])
        #expect(rig.log.contains("the stars are wrong"))
    }
}
