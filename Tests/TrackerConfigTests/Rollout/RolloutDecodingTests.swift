import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig

/// What a document's `rollout` becomes, and what is wrong with it.
@Suite("The rollout of a document", .endsWhenItHangs)
struct RolloutDecodingTests {
    private static func document(_ rollout: String, _ purpose: Document.Purpose = .remote) throws -> Document {
        try Document(Array(DocumentText.document(1, more: ",\n\"rollout\":\(rollout)").utf8), purpose: purpose)
    }

    @Test("every key is read, and what is absent or null has its default")
    func keys() throws {
        let document = try Self.document(#"{"percent":12.5,"seed":"s","bakeSeconds":60,"maxFailureRate":0.5}"#)
        #expect(document.rollout == Rollout(percent: 12.5, seed: "s", bakeTime: .seconds(60), maxFailureRate: 0.5))
        #expect(document.warnings.isEmpty)
        for members in ["", #","seed":null,"bakeSeconds":null,"maxFailureRate":null"#] {
            let rollout = try Self.document("{\"percent\":10\(members)}").rollout
            #expect(rollout == Rollout(percent: 10, seed: nil, bakeTime: .seconds(600), maxFailureRate: 0.2))
        }
        #expect(try Self.document("null").rollout == nil)
        #expect(try Document(Array(DocumentText.document(1).utf8)).rollout == nil)
    }

    @Test(
        "a number outside its bounds becomes the nearest within, with a warning",
        arguments: [
            ("percent", 0.0, 100.0, "0…100"), ("bakeSeconds", 0, 604_800, "0…604800"), ("maxFailureRate", 0, 1, "0…1"),
        ])
    func clamped(key: String, least: Double, most: Double, range: String) throws {
        func read(_ number: String) throws -> (value: Double?, warnings: [ConfigurationError]) {
            let percent = key == "percent" ? "" : #""percent":1,"#
            let document = try Self.document("{\(percent)\"\(key)\":\(number)}")
            let rollout = try #require(document.rollout)
            let values = [
                "percent": rollout.percent, "bakeSeconds": rollout.bakeTime / .seconds(1),
                "maxFailureRate": rollout.maxFailureRate,
            ]
            return (values[key], document.warnings)
        }
        let low = ["-0.001", "-1e308"].map { ($0, least) }
        let high = ["\(most + 0.5)", "99999999999999999999"].map { ($0, most) }
        for (number, nearest) in low + high {
            let (value, warnings) = try read(number)
            #expect(value == nearest, "\(number)")
            #expect(warnings.map(\.place) == ["rollout.\(key)"])
            #expect(warnings.first?.reason.hasSuffix(" is outside \(range); \(Int(nearest)) is used") == true)
        }
        for bound in [least, most] {
            let (value, warnings) = try read("\(Int(bound))")
            #expect(value == bound)
            #expect(warnings.isEmpty)
        }
    }

    @Test(
        "a wrong type and a missing percent are faults with their place",
        arguments: [
            ("7", "rollout: expected an object, found a number (line 2, column 11)"),
            ("{}", "rollout: required key 'percent' is missing (line 2, column 11)"),
            (#"{"percent":null}"#, "rollout.percent: expected a number, found null (line 2, column 22)"),
            (#"{"percent":"10"}"#, "rollout.percent: expected a number, found a string (line 2, column 22)"),
            (#"{"percent":1,"seed":1}"#, "rollout.seed: expected a string, found a number (line 2, column 31)"),
            (
                #"{"percent":1,"bakeSeconds":true}"#,
                "rollout.bakeSeconds: expected a number, found a boolean (line 2, column 38)"
            ),
            (
                #"{"percent":1,"maxFailureRate":[]}"#,
                "rollout.maxFailureRate: expected a number, found a list (line 2, column 41)"
            ),
        ])
    func faults(rollout: String, sentence: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Self.document(rollout) }
        #expect(error.description == sentence)
    }

    @Test("an unknown key is a warning with its place")
    func unknownKey() throws {
        let document = try Self.document(#"{"percent":1,"start":2}"#)
        #expect(
            document.warnings.map(\.description) == ["rollout.start: an unknown key, ignored (line 2, column 24)"])
    }

    @Test("in a default it is a warning, whatever it is", arguments: [#"{"percent":10}"#, "7"])
    func inDefault(rollout: String) throws {
        let document = try Self.document(rollout, .default)
        #expect(document.rollout == nil)
        #expect(
            document.warnings.map(\.description) == ["rollout: without effect in a default (line 2, column 1)"])
    }
}
