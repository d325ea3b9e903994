import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Closures of the service that a read calls, and that read features themselves: a document says what depends on what.
@Suite("Reads within reads", .endsWhenItHangs)
struct NestedReadTests {
    private let log = MemoryLog()
    private let user = FeatureContext(userID: "u-1")

    @Test("a condition in code that reads what its experiment decides ends nothing, and the read is an error")
    func condition() throws {
        let features = try Features(
            #"{"f":{"variables":{"v":{"value":1}}}}"#,
            experiments: #"[{"id":"x","variants":[{"name":"a","values":{"f":{"v":2}}}]}]"#, log: log)
        let reads = Locked<[EvaluationReason]>([])
        features.experiments.setCondition(for: "x") { [weak features, user] _ in
            let detail = features?.detail("f", variable: "v", default: 0, for: user)
            reads.withLock { $0.append(detail?.reason ?? .unknown) }
            return true
        }
        #expect(features.value("f", variable: "v", default: 0, for: user) == 2)
        // The innermost read gets the value for all contexts, and those around it the variant.
        #expect(reads.withLock { $0 } == [.error] + Array(repeating: .split, count: 7))
        #expect(features.readFailures == 1)
        #expect(log.records.filter { $0.message.contains("within each other") }.count == 1)
        #expect(features.experiments.variant(of: "x", default: "-", for: user).reason == .assigned)
    }

    @Test("a closure that decrypts what it reads ends nothing, and the default applies")
    func decryption() throws {
        let holder = Locked<Features?>(nil)
        var options = FeatureOptions()
        options.decrypt = { ciphertext, _ in
            let features = holder.withLock { $0 }
            return .string("\(features?.value("f", variable: "v", default: "-") ?? "") \(ciphertext)")
        }
        let features = try Features(
            #"{"f":{"variables":{"v":{"value":"c","encrypted":true}}}}"#, options: options, log: log)
        holder.withLock { $0 = features }
        #expect(features.value("f", variable: "v", default: "-") == "-" + String(repeating: " c", count: 8))
        #expect(features.readFailures == 1)
        #expect(log.records.filter { $0.message.contains("f.v") }.count == 1)
        holder.withLock { $0 = nil }
    }

    @Test("a type whose decoding reads itself ends nothing")
    func decoding() throws {
        struct Nested: Decodable {
            @TaskLocal static var features: Features?

            init(from decoder: any Decoder) throws {
                _ = Self.features?.detail("f", variable: "v", default: nil as Nested?)
            }
        }
        let features = try Features(#"{"f":{"variables":{"v":{"value":{}}}}}"#, log: log)
        Nested.$features.withValue(features) {
            #expect(features.detail("f", variable: "v", default: nil as Nested?).error == nil)
        }
        #expect(features.readFailures == 1)
    }
}
