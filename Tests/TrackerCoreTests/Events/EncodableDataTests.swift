import FoundationEssentials
import TestSupport
import Testing
import TrackerCore

@Suite("data of encodable types", .endsWhenItHangs)
struct EncodableDataTests {
    private struct Order: Encodable {
        struct Item: Encodable {
            var sku: String
            var price: Double
        }

        var id = "o-17"
        var time = Date(timeIntervalSince1970: 1_700_000_000.123)
        var digest = Data([0xFF, 0x00])
        var note: String?
        var items = [Item(sku: "a", price: 12.5)]
    }

    private struct Refusal: Error, CustomStringConvertible {
        var description: String { "the order is closed" }
    }

    private struct Closed: Encodable {
        func encode(to encoder: any Encoder) throws { throw Refusal() }
    }

    private static let schema = "iglu:com.acme/order/jsonschema/1-0-0"

    @Test("an event and an entity take data of any type that encodes to an object")
    func encodes() throws {
        let data: JSONObject = [
            "digest": "/wA=", "id": "o-17", "items": [["price": 12.5, "sku": "a"]], "time": "2023-11-14T22:13:20.123Z",
        ]
        let event = try SelfDescribing(schema: Self.schema, encoding: Order())
        #expect(event.schema == Self.schema)
        #expect(event.data == data)
        #expect(event.data.members.map(\.name) == ["digest", "id", "items", "time"])
        #expect(try Entity(schema: Self.schema, encoding: Order()).data == data)
        #expect(try Entity(schema: Self.schema, encoding: JSONValue.object(data)).data == data)
    }

    @Test("a literal is a JSON object and needs no try")
    func prefersObjects() {
        #expect(SelfDescribing(schema: Self.schema, data: ["id": "o-17"]).data == ["id": "o-17"])
        #expect(Entity(schema: Self.schema, data: [:]).data == JSONObject())
    }

    @Test("variables of plain types are data as they are, and what is nil is left out")
    func variables() {
        let (route, status, ratio, isNew, time) = ("/a", 200, 0.5, true, Date(timeIntervalSince1970: 1_700_000_000.123))
        let (missing, ids, id): (String?, [Int?], UUID) = (nil, [1, nil], UUID())
        let expected: JSONObject = [
            "route": "/a", "status": 200, "ratio": 0.5, "new": true, "time": "2023-11-14T22:13:20.123Z",
            "ids": [1, nil],
            "none": [], "id": .string(id.uuidString.lowercased()), "by": ["a": 1, "b": 2], "value": ["x": 1],
            "literal": 3,
        ]
        let event = SelfDescribing(
            schema: Self.schema,
            data: [
                "route": route, "status": status, "ratio": ratio, "new": isNew, "time": time, "ids": ids,
                "missing": missing,
                "none": [Int](), "id": id, "by": ["b": 2, "a": 1], "value": expected["value"], "literal": 3,
            ])
        #expect(event.data == expected)
        #expect(event.data.members.map(\.name).prefix(3) == ["route", "status", "ratio"])
        // One variable, or several of one type, are not taken for a dictionary that may throw.
        #expect(Entity(schema: Self.schema, data: ["route": route]).data == ["route": "/a"])
        #expect(EventContent.selfDescribing(schema: Self.schema, data: ["route": route]).data == ["route": "/a"])
        #expect(FeatureContext(attributes: ["plan": route, "none": missing]).attributes == ["plan": "/a"])
    }

    @Test("a number that is not finite is an error with its place", arguments: [Double.infinity, -.infinity, .nan])
    func refusesNumbers(number: Double) throws {
        let order = Order(items: [Order.Item(sku: "a", price: 1), Order.Item(sku: "b", price: number)])
        let error = try #require(throws: EventError.self) { try SelfDescribing(schema: Self.schema, encoding: order) }
        #expect(error.code == .notFinite)
        #expect((error.type, error.place) == ("SelfDescribing", "data.items[1].price"))
        #expect(error.reason == "a number that is not finite cannot be written as JSON")
        #expect(throws: EventError.self) {
            try Entity(schema: Self.schema, encoding: JSONValue.object(["x": .double(number)]))
        }
    }

    @Test("an integer beyond 64 bits is written as the nearest Double")
    func encodesLargeIntegers() throws {
        let event = try SelfDescribing(schema: Self.schema, encoding: ["id": UInt64.max])
        #expect(JSONValue.object(event.data).description == #"{"id":1.8446744073709552e+19}"#)
    }

    @Test("data that does not encode to an object is an error")
    func refusesOthers() throws {
        let error = try #require(throws: EventError.self) { try Entity(schema: Self.schema, encoding: [1, 2]) }
        #expect(error.code == .notEncodable)
        #expect("\(error)" == "Entity: data: expected a type that encodes to an object, found Array<Int>")
        #expect(throws: EventError.self) { try SelfDescribing(schema: Self.schema, encoding: String?.none) }
    }

    @Test("an error that encoding throws is the cause of the event's")
    func namesTheCause() throws {
        let error = try #require(throws: EventError.self) {
            try SelfDescribing(schema: Self.schema, encoding: ["o": Closed()])
        }
        #expect(error.code == .notEncodable)
        #expect(error.cause is Refusal)
        #expect(error.reason.hasSuffix("cannot be written as JSON: the order is closed"))
    }

    @Test("a date that RFC 3339 cannot write is an error with its place")
    func refusesDates() throws {
        let order = Order(time: Date(timeIntervalSince1970: 1e12))
        let error = try #require(throws: EventError.self) { try SelfDescribing(schema: Self.schema, encoding: order) }
        #expect((error.code, error.place) == (.notEncodable, "data.time"))
        #expect(error.reason.hasSuffix(": expected a date in the years 0000 to 9999"))
    }

    @Test("data that is nested more deeply than readers take is an error")
    func refusesDepth() throws {
        struct Nest: Encodable {
            var levels: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                if levels > 0 { try container.encode(Nest(levels: levels - 1), forKey: .inner) }
            }

            enum Key: CodingKey { case inner }
        }
        #expect(try Entity(schema: Self.schema, encoding: Nest(levels: 127)).data.count == 1)
        let error = try #require(throws: EventError.self) {
            try Entity(schema: Self.schema, encoding: Nest(levels: 128))
        }
        #expect(error.reason == "a value that is nested deeper than 128 levels cannot be written as JSON")
    }
}
