import Foundation
import Testing
import TrackerFeatures

/// Unleash's client specification, with documents that mean what its toggles mean.
@Suite(
    "Unleash's client specification",
    .enabled(if: SharedData.has("suites/unleash"), "../shared/suites/unleash is not there"))
struct UnleashTests {
    private static let known = [
        "21: R03 matches ASCII alpha only": "classes of POSIX such as `[[:alpha:]]`, which JavaScript does not have",
        "21: R09 (?i) matches different case": Self.flags,
        "21: R10 (?m) matches line 'foo' inside multiline string": Self.flags,
        "21: R11 (?s) dot matches newline": Self.flags,
    ]
    private static let flags =
        "flags within a regular expression, `(?i)`, `(?m)` and `(?s)`, which JavaScript does not have"

    @Test("strategies, constraints, segments, dependencies and single variants are Unleash's")
    func specification() throws {
        var judgement = Judgement(
            "Unleash client specification: strategies, constraints, segments and dependencies without its hash",
            file: "unleash", bar: 0.97, known: Self.known)
        for file in try SharedData.files("suites/unleash", ".json") where file != "index.json" {
            let suite = try SharedData.json("suites/unleash/\(file)")
            let (tests, variantTests) = (suite["tests"]?.array ?? [], suite["variantTests"]?.array ?? [])
            guard suite["state"]?["features"] != nil else {
                judgement.leaveOut(tests.count + variantTests.count, "a transport of differences between documents")
                continue
            }
            let toggles = UnleashToggles(suite["state"] ?? [:])
            let features = try Features(toggles.features)
            for test in tests {
                let toggle = test["toggleName"]?.string ?? ""
                judgement.judge(Self.name(file, test), test["expectedResult"]?.bool) {
                    if let reason = toggles.unmapped[toggle] { throw reason }
                    return features.isEnabled(toggle, for: Self.context(test))
                }
            }
            for test in variantTests {
                let toggle = test["toggleName"]?.string ?? ""
                judgement.judge("\(Self.name(file, test)), variant", test["expectedResult"]) {
                    if let reason = toggles.unmapped[toggle] { throw reason }
                    if toggles.choosesVariant(toggle) {
                        throw Judgement.Unmapped("a choice of variants by Unleash's hash, murmur3")
                    }
                    let context = Self.context(test)
                    guard features.isEnabled(toggle, for: context) else {
                        return UnleashToggles.noVariant(isFeatureEnabled: false)
                    }
                    return features.value(toggle, variable: "variant", default: JSONValue.null, for: context)
                }
            }
        }
        try judgement.finish()
    }

    private static func name(_ file: String, _ test: JSONValue) -> String {
        "\(file.prefix(2)): \(test["description"]?.string ?? "")"
    }

    private static func context(_ test: JSONValue) -> FeatureContext {
        let members = test["context"]?.object?.members.filter { $0.name != "properties" } ?? []
        let properties = test["context"]?["properties"]?.object?.members ?? []
        // Without a time in the context, it is that of the evaluation.
        let now: [(name: String, value: JSONValue)] = [("currentTime", .double(Date().timeIntervalSince1970 * 1000))]
        // The context's own fields have precedence.
        return FeatureContext(attributes: JSONObject((now + properties + members).map { ($0.name, $0.value) }))
    }
}
