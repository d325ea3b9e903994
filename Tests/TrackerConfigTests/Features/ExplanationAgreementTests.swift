import TestSupport
import Testing
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// An explanation is no second evaluator: over random documents and contexts it ends as the read does.
@Suite("Explanations agree with reads", .endsWhenItHangs)
struct ExplanationAgreementTests {
    /// Makes documents, contexts and overrides.
    private struct Maker {
        var random: SeededRandom
        static let plans = ["free", "pro", "team"]
        static let features = ["f0", "f1", "f2", "f3"]
        static let variables = ["v0", "v1"]

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        mutating func any<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }

        mutating func value() -> String { any(["1", "2.5", "\"x\"", "true", "[1]", "{\"a\":1}", "\"7\""]) }

        mutating func clause(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 0 ? 15 : 10), using: &random) {
            case 0: return #""plan":"\#(any(Self.plans))""#
            case 1: return #""plan":{"$in":["\#(any(Self.plans))","x"]}"#
            case 2: return #""age":{"$gte":\#(any([10, 18, 40])),"$lt":\#(any([30, 60]))}"#
            case 3: return #""email":{"$regex":"@\#(any(["a", "b"]))\\.example$"}"#
            case 4: return #""country":{"$nin":["\#(any(["US", "DE"]))"]}"#
            case 5: return #""address.city":{"$exists":\#(chance(50))}"#
            case 6: return #""tags":{"$elemMatch":{"$eq":"\#(any(["x", "y"]))"}}"#
            case 7: return #""userId":{"$inGroup":"\#(any(["beta", "staff"]))"}"#
            case 8: return #""version":{"$vgt":"1.\#(any([0, 2])).0"}"#
            case 9: return #""tags":{"$all":["x"],"$not":{"$size":\#(any([1, 2]))}}"#
            case 10: return #""$or":[{\#(clause(depth - 1))},{\#(clause(depth - 1))}]"#
            case 11: return #""$and":[{\#(clause(depth - 1))},{\#(clause(depth - 1))}]"#
            case 12: return #""$nor":[{\#(clause(depth - 1))}]"#
            case 13: return #""$now":{"$\#(any(["before", "after"]))":"\#(any(["2020", "2090"]))-01-01T00:00:00Z"}"#
            default: return #""$not":{\#(clause(depth - 1))}"#
            }
        }

        mutating func condition() -> String {
            let first = clause(2)
            // Names are unique within an object.
            return chance(30) ? #"{"$and":[{\#(first)}],"age":{"$ne":17}}"# : "{\(first)}"
        }

        mutating func schedule() -> String {
            #""\#(any(["start", "end"]))":"\#(any(["2020", "2090"]))-01-01T00:00:00Z""#
        }

        mutating func prerequisites() -> String {
            let list = (0...(chance(20) ? 1 : 0)).map { _ in
                let condition =
                    chance(40)
                    ? #","condition":{"\#(any(Self.variables + ["enabled"]))":\#(any(["1", "true", "{\"$exists\":true}"]))}"#
                    : ""
                return #"{"feature":"\#(any(Self.features))"\#(condition)\#(chance(30) ? #","gate":true"# : "")}"#
            }
            return "[\(list.joined(separator: ","))]"
        }

        mutating func rule(_ id: Int) -> String {
            var parts = [#""id":"r\#(id)""#]
            if chance(60) { parts.append(#""condition":\#(condition())"#) }
            if chance(25) { parts.append(#""prerequisites":\#(prerequisites())"#) }
            if chance(40) {
                parts.append(
                    #""coverage":\#(any(["0.1", "0.5", "0.9", "0"])),"unit":"\#(any(["userId", "deviceId"]))""#)
            }
            if chance(10) { parts.append(#""filters":[{"seed":"s","ranges":[[0,0.5]]}]"#) }
            if chance(5) { parts.append(#""unknownKey":1"#) }
            if chance(10) { parts.append(schedule()) }
            if chance(60) { parts.append(#""enabled":\#(chance(50))"#) }
            if chance(60) { parts.append(#""values":{"\#(any(Self.variables))":\#(value())}"#) }
            return "{\(parts.joined(separator: ","))}"
        }

        mutating func experiment(_ id: Int) -> String {
            var parts = [#""id":"e\#(id)""#]
            if chance(30) { parts.append(#""condition":\#(condition())"#) }
            if chance(15) { parts.append(#""prerequisites":\#(prerequisites())"#) }
            if chance(20) { parts.append(#""countries":["US"]"#) }
            if chance(20) { parts.append(#""coverage":0.5"#) }
            if chance(20) { parts.append(#""namespace":["n",0,0.5]"#) }
            if chance(40) { parts.append(#""sticky":true,"fallbackUnit":"deviceId""#) }
            if chance(10) { parts.append(#""force":"b""#) }
            if chance(10) { parts.append(#""blockedVariants":["a"]"#) }
            if chance(5) { parts.append(#""enabled":false"#) }
            if chance(10) { parts.append(schedule()) }
            let variants = ["a", "b", "c"].map { name -> String in
                let values =
                    chance(60)
                    ? #","values":{"\#(any(Self.features))":{"\#(any(Self.variables))":\#(value())}}"# : ""
                let enabled = chance(30) ? #","enabled":{"\#(any(Self.features))":\#(chance(50))}"# : ""
                return #"{"name":"\#(name)"\#(values)\#(enabled)}"#
            }
            return "{\(parts.joined(separator: ",")),\"variants\":[\(variants.joined(separator: ","))]}"
        }

        mutating func document(_ version: Int) throws -> Document {
            let features = Self.features.map { name -> String in
                var parts = chance(10) ? [schedule()] : []
                if chance(8) { parts.append(#""disabled":true"#) }
                if chance(60) { parts.append(#""enabled":\#(chance(50))"#) }
                if chance(70) {
                    parts.append(
                        #""variables":{"v0":{"value":\#(value())},"v1":{"value":"eulav","encrypted":\#(chance(30))}}"#)
                }
                let rules = (0..<Int.random(in: 0...4, using: &random)).map { rule($0) }
                parts.append(#""rules":[\#(rules.joined(separator: ","))]"#)
                return #""\#(name)":{\#(parts.joined(separator: ","))}"#
            }
            let experiments = (0..<Int.random(in: 0...3, using: &random)).map { experiment($0) }
            return try Document(
                Array(
                    DocumentText.document(
                        version,
                        more: #","features":{\#(features.joined(separator: ","))},"#
                            + #""segments":{"beta":["u-1","u-2"],"staff":["u-3"]},"#
                            + #""experiments":[\#(experiments.joined(separator: ","))]"#
                    ).utf8))
        }

        mutating func context() -> FeatureContext? {
            guard chance(95) else { return nil }
            var attributes: JSONObject = [:]
            if chance(80) { attributes["plan"] = .string(any(Self.plans)) }
            if chance(60) { attributes["age"] = .int(any([9, 17, 25, 50])) }
            if chance(60) { attributes["email"] = .string(any(["x@a.example", "y@b.example", "z"])) }
            if chance(50) { attributes["tags"] = any([["x"], ["x", "y"], []]) }
            if chance(40) { attributes["address"] = ["city": "Oslo"] }
            if chance(60) { attributes["version"] = .string(any(["1.1.0", "1.3.0", "2"])) }
            var units: [String: String] = [:]
            if chance(80) { units["userId"] = "u-\(Int.random(in: 0..<40, using: &random))" }
            if chance(50) { units["deviceId"] = "d-\(Int.random(in: 0..<40, using: &random))" }
            if chance(3) { units["userId"] = String(repeating: "u", count: 2000) }
            return FeatureContext(
                units: units, country: chance(70) ? any(["US", "DE"]) : nil, attributes: attributes)
        }
    }

    private static func features(_ maker: inout Maker) throws -> Features {
        let (old, new) = (try maker.document(1), try maker.document(2))
        var options = FeatureOptions()
        options.decrypt = { ciphertext, _ in .string(String(ciphertext.reversed())) }
        let features = Features(
            options, defaultFeatures: old.features, defaultExperiments: old.experiments, log: Log(nil, level: .off)
        ) { $0.options.assignmentStore = MemoryAssignments() }
        _ = features.adopt(FeatureStore.Remote(new), isFetched: false)
        if maker.chance(30) { try features.overrides.setEnabled(maker.chance(50), for: maker.any(Maker.features)) }
        if maker.chance(30) {
            try features.overrides.set(
                maker.chance(50) ? 5 : 6, for: maker.any(Maker.features), variable: maker.any(Maker.variables))
        }
        if maker.chance(20) { try features.overrides.force("b", of: "e0") }
        return features
    }

    private static func expectSame<Value: Decodable & Equatable & Sendable>(
        _ explanation: FeatureExplanation, _ detail: EvaluationDetail<Value>, isFirst: Bool = false, _ note: String
    ) {
        #expect(explanation.source == detail.source, "\(note)\n\(explanation)")
        let reason = isFirst && detail.reason == .cached ? .split : detail.reason
        #expect(
            (isFirst && explanation.reason == .cached ? .split : explanation.reason) == reason,
            "\(note)\n\(explanation)")
        #expect(explanation.rule == detail.rule, "\(note)\n\(explanation)")
        #expect(explanation.variant == detail.variant, "\(note)\n\(explanation)")
        // That no source has a value is no error of the explanation.
        if detail.error?.code != .notFound {
            #expect(explanation.error == detail.error.map { "\($0)" }, "\(note)\n\(explanation)")
        }
        guard !explanation.isSecret else { return #expect(explanation.value == nil) }
        let value = explanation.value.flatMap {
            $0.converted(to: Value.self) ?? (try? $0.decoded(as: Value.self))
        }
        if detail.source != .fallback { #expect(value == detail.value, "\(note)\n\(explanation)") }
    }

    @Test("the same value, source, reason, rule and variant")
    func agreement() throws {
        var outcomes: Set<String> = []
        for seed in 0..<UInt64(Search.count(10)) {
            var maker = Maker(seed: Search.seed(seed))
            let features = try Self.features(&maker)
            for _ in 0..<2 {
                let context = maker.context()
                let who = context.map { "\($0.units) \($0.country ?? "-") \($0.attributes.members)" } ?? "no context"
                for name in Maker.features {
                    let note = "seed \(seed), \(name), \(who)"
                    let explanation = features.explain(name, for: context)
                    // A read may store a variant while it looks at prerequisites, which an explanation does not.
                    Self.expectSame(explanation, features.detail(name, for: context), isFirst: true, note)
                    Self.expectSame(features.explain(name, for: context), features.detail(name, for: context), note)
                    outcomes.insert("\(explanation.reason)")
                    for variable in Maker.variables {
                        func check<Value: Decodable & Equatable & Sendable>(_ fallback: Value) {
                            let explanation = features.explain(name, variable: variable, as: Value.self, for: context)
                            let detail = features.detail(name, variable: variable, default: fallback, for: context)
                            Self.expectSame(explanation, detail, isFirst: true, "\(note).\(variable) as \(Value.self)")
                            outcomes.insert("\(explanation.reason)")
                        }
                        check(-1)
                        check("?")
                        check(JSONValue.null)
                    }
                }
            }
        }
        // The documents are of many kinds.
        #expect(outcomes.isSuperset(of: ["static", "default", "targetingMatch", "split", "error"]))
    }
}
