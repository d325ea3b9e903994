import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Variables at hand and as properties.
@Suite("Variables at hand", .endsWhenItHangs)
struct VariableTests {
    private struct Checkout {
        @Variable var limit: Int
        @Variable var key: String?
        @Variable var host: String

        init(_ features: Features) throws {
            _limit = Variable(features, "f", variable: "limit", default: 3)
            _key = Variable(features, "f", variable: "key")
            _host = try Variable(features, "f", requiring: "host")
        }
    }

    private static func document(_ variables: String) -> String { #"{"f":{"variables":{\#(variables)}}}"# }

    @Test("properties follow each refresh")
    func follow() async throws {
        let shop = FeatureService()
        shop.publish(1, Self.document(#""host":{"value":"one"}"#))
        let setup = try await shop.start()
        let checkout = try Checkout(setup.features)
        #expect(checkout.limit == 3)
        #expect(checkout.key == nil)
        #expect(checkout.host == "one")
        let second = Self.document(#""host":{"value":"two"},"limit":{"value":5},"key":{"value":"k"}"#)
        await shop.apply(2, second, to: setup)
        #expect(checkout.limit == 5)
        #expect(checkout.$limit.value == 5)
        #expect(checkout.key == "k")
        #expect(checkout.host == "two")
        await shop.apply(3, Self.document(#""limit":{"value":"many"},"key":{"value":7}"#), to: setup)
        #expect(checkout.limit == 3)
        #expect(checkout.key == nil)
        // A required one goes back to what it was when it was made.
        #expect(checkout.host == "one")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a property's handle sets its override and removes it")
    func overrides() throws {
        let features = try Features(Self.document(#""host":{"value":"one"},"key":{"value":"k"}"#))
        let checkout = try Checkout(features)
        try checkout.$limit.setOverride(7)
        try checkout.$key.setOverride("mine")
        try checkout.$host.setOverride("here")
        #expect((checkout.limit, checkout.key, checkout.host) == (7, "mine", "here"))
        #expect(features.detail("f", variable: "key", default: "").source == .override)
        try checkout.$key.setOverride(nil)
        #expect(checkout.key == "k")
        try checkout.$limit.removeOverride()
        try checkout.$host.removeOverride()
        #expect((checkout.limit, checkout.host) == (3, "one"))
    }

    @Test("a required variable that nobody has, or of another type, cannot be made")
    func required() throws {
        let features = try Features(Self.document(#""limit":{"value":1}"#))
        let error = try #require(throws: FeatureError.self) { try Checkout(features) }
        #expect(error.code == .notFound)
        #expect(throws: FeatureError.self) { try Variable<Bool>(features, "f", requiring: "limit") }
    }

    /// A type of the service's own that counts how often it is decoded.
    private struct Label: Decodable {
        static let decoded = Locked<[String]>([])
        let text: String

        init(_ text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            let text = try String(from: decoder)
            self.text = text
            Self.decoded.withLock { $0.append(text) }
        }
    }

    @Test("a change of another variable does not decode the value again")
    func decodedOnce() throws {
        let features = try Features(Self.document(#""label":{"value":"one"}"#))
        let label = Variable(features, "f", variable: "label", default: Label("default"))
        let missing = Variable(features, "f", variable: "missing", default: Label("default"))
        for number in 0..<3 {
            try features.overrides.set(number, for: "f", variable: "other")
            #expect(label.value.text == "one")
            #expect(missing.value.text == "default")
        }
        #expect(Label.decoded.withLock { $0 } == ["one"])
        // The same text with other bytes is another value.
        for text in ["caf\u{e9}", "cafe\u{301}"] {
            try features.overrides.set(text, for: "f", variable: "label")
            #expect(Array(label.value.text.utf8) == Array(text.utf8))
        }
    }

    @Test("a variable at hand of any type is read while it is changed from other threads, and never torn")
    func concurrent() async {
        let features = Features()
        let list = Variable(features, "f", variable: "list", default: [Int]())
        let isDone = Locked(false)
        let torn = Locked(0)
        await Threads.run(4) { thread in
            if thread == 0 {
                for step in 1...50 {
                    try? features.overrides.set(
                        Array(repeating: step, count: step % 7 + 1), for: "f", variable: "list")
                }
                isDone.withLock { $0 = true }
            }
            while thread > 0, !isDone.withLock({ $0 }) {
                let values = list.value
                let isWhole = Set(values).count < 2 && values.first.map { values.count == $0 % 7 + 1 } ?? true
                if !isWhole { torn.withLock { $0 += 1 } }
            }
        }
        #expect(torn.withLock { $0 } == 0)
        #expect(list.value == Array(repeating: 50, count: 50 % 7 + 1))
    }

    @Test("what is set is what is read, of types that JSON has no form for too")
    func roundTrip() throws {
        let features = try Features(Self.document(#""price":{"value":10.3},"text":{"value":"10.30"}"#))
        let price = Variable(features, "f", variable: "price", default: Decimal(0))
        #expect(price.value == Decimal(string: "10.3"))
        #expect(features.value("f", variable: "text", default: Decimal(0)) == Decimal(string: "10.3"))
        for value in ["0.1", "-7", "12345678901234.5"] {
            let number = try #require(Decimal(string: value))
            try price.setOverride(number)
            #expect(price.value == number)
        }
        let bytes = Variable(features, "f", variable: "bytes", default: Data())
        try bytes.setOverride(Data([0, 255, 7]))
        #expect(bytes.value == Data([0, 255, 7]))
        let date = Variable(features, "f", variable: "date", default: Date.distantPast)
        try date.setOverride(Date(timeIntervalSinceReferenceDate: 12.5))
        #expect(date.value == Date(timeIntervalSinceReferenceDate: 12.5))
    }
}
