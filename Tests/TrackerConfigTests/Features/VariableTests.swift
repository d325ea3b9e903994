import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Variables at hand and as properties.
@Suite("Variables at hand", .endsWhenItHangs)
struct VariableTests {
    private let shop = FeatureService()

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
        shop.publish(1, Self.document(#""host":{"value":"one"}"#))
        let setup = try await shop.start()
        let checkout = try Checkout(setup.features)
        #expect(checkout.limit == 3)
        #expect(checkout.key == nil)
        #expect(checkout.host == "one")
        shop.publish(2, Self.document(#""host":{"value":"two"},"limit":{"value":5},"key":{"value":"k"}"#))
        await setup.refresh()
        #expect(checkout.limit == 5)
        #expect(checkout.$limit.value == 5)
        #expect(checkout.key == "k")
        #expect(checkout.host == "two")
        shop.publish(3, Self.document(#""limit":{"value":"many"},"key":{"value":7}"#))
        await setup.refresh()
        #expect(checkout.limit == 3)
        #expect(checkout.key == nil)
        // A required one goes back to what it was when it was made.
        #expect(checkout.host == "one")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a property's handle sets its override and removes it")
    func overrides() async throws {
        shop.publish(1, Self.document(#""host":{"value":"one"},"key":{"value":"k"}"#))
        let setup = try await shop.start()
        let checkout = try Checkout(setup.features)
        try checkout.$limit.setOverride(7)
        try checkout.$key.setOverride("mine")
        try checkout.$host.setOverride("here")
        #expect((checkout.limit, checkout.key, checkout.host) == (7, "mine", "here"))
        #expect(setup.features.detail("f", variable: "key", default: "").source == .override)
        try checkout.$key.setOverride(nil)
        #expect(checkout.key == "k")
        try checkout.$limit.removeOverride()
        try checkout.$host.removeOverride()
        #expect((checkout.limit, checkout.host) == (3, "one"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a required variable that nobody has, or of another type, cannot be made")
    func required() async throws {
        shop.publish(1, Self.document(#""limit":{"value":1}"#))
        let setup = try await shop.start()
        let error = try #require(throws: FeatureError.self) { try Checkout(setup.features) }
        #expect(error.code == .notFound)
        #expect(throws: FeatureError.self) { try Variable<Bool>(setup.features, "f", requiring: "limit") }
        await setup.shutdown(timeout: .zero)
    }

    @Test("a variable at hand of any type is read while it is changed from other threads, and never torn")
    func concurrent() async throws {
        shop.publish(1, "{}")
        let setup = try await shop.start()
        let list = Variable(setup.features, "f", variable: "list", default: [Int]())
        let isDone = Locked(false)
        let torn = Locked(0)
        await Threads.run(4) { thread in
            if thread == 0 {
                for step in 1...300 {
                    try? setup.features.overrides.set(
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
        #expect(list.value == Array(repeating: 300, count: 300 % 7 + 1))
        await setup.shutdown(timeout: .zero)
    }

    @Test("what is set is what is read, of types that JSON has no form for too")
    func roundTrip() async throws {
        shop.publish(1, Self.document(#""price":{"value":10.3},"text":{"value":"10.30"}"#))
        let setup = try await shop.start()
        let price = Variable(setup.features, "f", variable: "price", default: Decimal(0))
        #expect(price.value == Decimal(string: "10.3"))
        #expect(setup.features.value("f", variable: "text", default: Decimal(0)) == Decimal(string: "10.3"))
        for value in ["0.1", "-7", "12345678901234.5"] {
            let number = try #require(Decimal(string: value))
            try price.setOverride(number)
            #expect(price.value == number)
        }
        let bytes = Variable(setup.features, "f", variable: "bytes", default: Data())
        try bytes.setOverride(Data([0, 255, 7]))
        #expect(bytes.value == Data([0, 255, 7]))
        let date = Variable(setup.features, "f", variable: "date", default: Date.distantPast)
        try date.setOverride(Date(timeIntervalSinceReferenceDate: 12.5))
        #expect(date.value == Date(timeIntervalSinceReferenceDate: 12.5))
        await setup.shutdown(timeout: .zero)
    }
}
