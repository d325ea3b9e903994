import Testing
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook
import TrackerTesting

/// GrowthBook's cases, with payloads that the provider fetches and reads as it does for a service. What no payload can ask for
/// is left to `Tests/evaluate`, whose results `Tests/BlackBox/test_evaluate.py` judges.
@Suite(
    "GrowthBook's cases",
    .enabled(if: SharedData.has("growthbook/cases.json"), "../shared/growthbook/cases.json is not there"))
struct GrowthBookTests {
    private static let functions = "a function without a payload: judged by `Tests/evaluate`"
    private static let options = "an option of GrowthBook's SDK for one evaluation: judged by `Tests/evaluate`"
    private static let bandits = "contextual bandits"
    private static let browsers = "redirects and query strings, which are for browsers"

    @Test("features, conditions, shares, experiments and sticky buckets are GrowthBook's")
    func cases() async throws {
        let cases = try SharedData.json("growthbook/cases.json")
        func columns(_ category: String) -> [[JSONValue]] { (cases[category]?.array ?? []).map { $0.array ?? [] } }
        var judgement = Judgement(
            "GrowthBook `cases.json` by `GrowthBookProvider`: payloads", file: "growthbook", bar: 1)
        for columns in columns("evalCondition") { try await Self.condition(columns, &judgement) }
        for columns in columns("hash") { try await Self.hash(columns, &judgement) }
        for columns in columns("inNamespace") { try await Self.namespace(columns, &judgement) }
        for columns in columns("feature") { try await Self.feature(columns, &judgement) }
        for columns in columns("run") { try await Self.run(columns, &judgement) }
        for columns in columns("stickyBucket") { try await Self.stickyBucket(columns, &judgement) }
        for category in ["getBucketRange", "chooseVariation", "getEqualWeights"] {
            judgement.leaveOut(columns(category).count, Self.functions)
        }
        judgement.leaveOut(cases["decrypt"]?.array?.count ?? 0, "decryption, which is the service's closure")
        judgement.leaveOut(cases["contextualBandit"]?.array?.count ?? 0, Self.bandits)
        for category in ["getQueryStringOverride", "urlRedirect"] {
            judgement.leaveOut(cases[category]?.array?.count ?? 0, Self.browsers)
        }
        try judgement.finish()
    }

    /// Columns: name, condition, attributes, expected result, saved groups.
    private static func condition(_ columns: [JSONValue], _ judgement: inout Judgement) async throws {
        let groups = columns.count > 4 ? columns[4] : [:]
        let service = try await service(of: ["condition": columns[1], "force": true], groups)
        let context = FeatureContext(attributes: columns[2].object ?? [:])
        judgement.judge(name("evalCondition", columns), columns[3].bool) {
            service.features.isEnabled("f", for: context)
        }
    }

    /// Columns: seed, value, version, expected number or null. A rule for the number's own share shows it.
    private static func hash(_ columns: [JSONValue], _ judgement: inout Judgement) async throws {
        // In a payload, an empty seed stands for the feature's name.
        guard columns[0] != "" else { return judgement.leaveOut(1, functions) }
        let number = columns[3].double
        let range: JSONValue = number.map { [.double($0), .double($0 + 0.0001)] } ?? [0, 1]
        let service = try await service(
            of: ["range": range, "seed": columns[0], "hashVersion": columns[2], "force": true])
        let context = FeatureContext(attributes: ["id": columns[1]])
        judgement.judge("hash: \(columns)", number != nil) { service.features.isEnabled("f", for: context) }
    }

    /// Columns: name, value, namespace, expected result.
    private static func namespace(_ columns: [JSONValue], _ judgement: inout Judgement) async throws {
        let service = try await service(of: ["namespace": columns[2], "force": true])
        let context = FeatureContext(attributes: ["id": columns[1]])
        judgement.judge(name("inNamespace", columns), columns[3].bool) {
            service.features.isEnabled("f", for: context)
        }
    }

    /// Columns: name, context, feature's key, expected result.
    private static func feature(_ columns: [JSONValue], _ judgement: inout Judgement) async throws {
        guard columns[1]["contextualBandits"] == nil else { return judgement.leaveOut(1, bandits) }
        guard columns[1]["forcedVariations"] == nil else { return judgement.leaveOut(1, options) }
        let service = try await GrowthBookService(payload(columns[1]))
        let (key, expected) = (columns[2].string ?? "", columns[3])
        judgement.judge(name("feature", columns), Self.expected(expected, expected["experimentResult"])) {
            var result = service.result(of: key, FeatureContext(attributes: columns[1]["attributes"]?.object ?? [:]))
            // A rule without an id gets one here.
            if expected["ruleId"] == "" { result["ruleId"] = "" }
            return result
        }
    }

    /// Columns: name, context, experiment, expected value, whether the unit takes part, whether the hash decided.
    private static func run(_ columns: [JSONValue], _ judgement: inout Judgement) async throws {
        let (context, experiment) = (columns[1], columns[2].object ?? [:])
        guard ["enabled", "qaMode", "forcedVariations", "url"].allSatisfy({ context[$0] == nil }),
            experiment["force"] == nil
        else { return judgement.leaveOut(1, context["url"] == nil ? options : browsers) }
        var features = context["features"]?.object ?? [:]
        let fallback = experiment["variations"]?.array?.first ?? .null
        features["experiment"] = ["defaultValue": fallback, "rules": [.object(experiment)]]
        let service = try await GrowthBookService([
            "features": .object(features), "savedGroups": context["savedGroups"] ?? [:],
        ])
        let expected: JSONObject = ["value": columns[3], "takesPart": columns[4], "hash": columns[5]]
        judgement.judge(name("run", columns), expected) {
            let result = service.result(
                of: "experiment", FeatureContext(attributes: context["attributes"]?.object ?? [:]))
            let takesPart = JSONValue.bool(result["key"] != .null)
            return ["value": result["value"] ?? .null, "takesPart": takesPart, "hash": takesPart]
        }
    }

    /// Columns: name, context, stored documents, feature's key, expected experiment result, expected documents.
    private static func stickyBucket(_ columns: [JSONValue], _ judgement: inout Judgement) async throws {
        let store = MemoryAssignments()
        for assignment in (columns[2].array ?? []).flatMap({ StickyDocument($0).assignments }) { store.set(assignment) }
        let (key, context) = (
            columns[3].string ?? "", FeatureContext(attributes: columns[1]["attributes"]?.object ?? [:])
        )
        let provider = try GrowthBookService.provider(payload(columns[1]), usesStickyBuckets: true)
        let test = try await Setup.test(document: Document.text(of: [:])) { options in
            options.features.providers = [provider]
            options.experiments.assignmentStore = store
        }
        for await change in test.setup.features.changes(of: key) where change.new != nil { break }
        let result = test.setup.features.result(of: key, context)
        await test.setup.shutdown()
        let stored = (columns[5].object?.members ?? []).flatMap { StickyDocument($0.value).assignments.map(\.sentence) }
        judgement.judge(
            name("stickyBucket", columns), "\(columns[4]["key"] ?? .null), stored \(stored.sorted())"
        ) { "\(result["key"] ?? .null), stored \(store.assignments.map(\.sentence).sorted())" }
    }

    private static func name(_ category: String, _ columns: [JSONValue]) -> String {
        "\(category): \(columns[0].string ?? "")"
    }

    private static func payload(_ context: JSONValue) -> JSONObject {
        ["features": context["features"] ?? [:], "savedGroups": context["savedGroups"] ?? [:]]
    }

    /// A service with a feature `f` that this rule turns on.
    private static func service(of rule: JSONObject, _ groups: JSONValue = [:]) async throws -> GrowthBookService {
        try await GrowthBookService([
            "features": ["f": ["defaultValue": false, "rules": [.object(rule)]]], "savedGroups": groups,
        ])
    }

    /// The expected result in the words of ``GrowthBookService/result(of:_:)``.
    private static func expected(_ result: JSONValue, _ experiment: JSONValue?) -> JSONObject {
        // Only GrowthBook tells a cycle from another prerequisite that is not met.
        let source = result["source"] == "cyclicPrerequisite" ? "prerequisite" : result["source"]
        return [
            "value": result["value"] ?? .null, "on": result["on"] ?? .null, "source": source ?? .null,
            "ruleId": result["ruleId"] ?? .null, "key": experiment?["key"] ?? .null,
        ]
    }
}
