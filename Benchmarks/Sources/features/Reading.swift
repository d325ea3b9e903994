import TrackerConfig
import TrackerFeatures
import Workload

/// One way to read a variable or to evaluate an experiment.
struct Reading: Sendable {
    let name: String
    /// Reads so many times.
    /// - Returns: How many answers were right.
    let read: @Sendable (_ times: Int) -> Int

    /// Units that are seen again and again.
    private static let units = 1000

    /// All ways that are timed again and again, of a service that has ``LargeDocument``.
    static func all(of setup: Setup) -> [Reading] {
        // What two threads cost each other on this machine whatever they do.
        let arithmetic = Reading(name: "arithmetic") { times in
            var random = SeededRandom(seed: 1)
            return count(times) { _ in random.next() + random.next() + random.next() < 3 }
        }
        return [arithmetic] + variables(setup.features) + evaluations(setup) + rules()
    }

    /// The name of the one of ``rules()`` of which one rule with one clause decides.
    static let ofOneRule = "bool_by_handle_with_a_rule"

    /// Of features of their own, read for a request that is bound to the task.
    static func rules() -> [Reading] {
        func features(_ condition: JSONObject) -> Features {
            let rule: JSONValue = [
                "id": "r", "condition": .object(condition), "enabled": true, "values": ["isOn": true],
            ]
            let document: JSONValue = [
                "features": ["f": ["enabled": false, "variables": ["isOn": ["value": false]], "rules": [rule]]]
            ]
            return Features(try! ProvidedFeatures(json: Array(document.description.utf8)).features)
        }
        let one = features(["plan": "pro"])
        let three = features([
            "plan": "pro", "country": ["$in": ["US", "CA"]], "email": ["$regex": "@example\\.com$"],
        ])
        let (oneByHandle, threeByHandle) = (
            Variable(one, "f", variable: "isOn", default: false), Variable(three, "f", variable: "isOn", default: false)
        )
        let request = TrackingContext(
            evaluation: FeatureContext(
                units: ["userId": "u-1"], country: "US",
                attributes: ["plan": "pro", "email": "dana@example.com"]))
        func bound(_ name: String, _ isRight: @escaping @Sendable () -> Bool) -> Reading {
            Reading(name: name) { times in withTrackingContext(request) { count(times) { _ in isRight() } } }
        }
        return [
            bound(ofOneRule) { oneByHandle.value },
            bound("bool_by_handle_with_a_rule_of_three_clauses") { threeByHandle.value },
            bound("bool_by_names_with_a_rule") { one.value("f", variable: "isOn", default: false) },
            bound("feature_enabled_by_a_rule") { one.isEnabled("f") },
        ]
    }

    private static func variables(_ features: Features) -> [Reading] {
        let isEnabled = Variable(features, "feature_7", variable: "isEnabled", default: false)
        let banner = Variable(features, "feature_7", variable: "banner", default: "")
        return [
            Reading(name: "bool_by_handle") { times in count(times) { _ in isEnabled.value } },
            Reading(name: "string_by_handle") { times in count(times) { _ in !banner.value.isEmpty } },
            Reading(name: "bool_by_names") { times in
                count(times) { _ in features.value("feature_7", variable: "isEnabled", default: false) }
            },
            Reading(name: "int_by_names") { times in
                count(times) { _ in features.value("feature_7", variable: "batchSize", default: 0) == 250 }
            },
            Reading(name: "string_by_names") { times in
                count(times) { _ in !features.value("feature_7", variable: "banner", default: "").isEmpty }
            },
            Reading(name: "feature_enabled") { times in count(times) { _ in features.isEnabled("feature_7") } },
        ]
    }

    private static func evaluations(_ setup: Setup) -> [Reading] {
        let features = setup.features
        let experiments = setup.experiments
        let contexts = (0..<units).map {
            FeatureContext(units: ["userId": "user-\($0)"], country: "DE", language: "de-AT")
        }
        func evaluation(_ name: String, _ id: String, _ reason: NamedCode<ExperimentAssignment>) -> Reading {
            Reading(name: name) { times in
                count(times) { number in
                    experiments.variant(of: id, default: "control", for: contexts[number % units]).reason == reason
                }
            }
        }
        // Experiments give 11 or 12, and the document less.
        func byNames(_ name: String, _ feature: String) -> Reading {
            Reading(name: name) { times in
                count(times) {
                    features.value(feature, variable: "retryLimit", default: 0, for: contexts[$0 % units]) > 10
                }
            }
        }
        func byHandle(_ name: String, _ feature: String) -> Reading {
            let handle = Variable(features, feature, variable: "retryLimit", default: 0)
            let handles = contexts.map { handle.evaluated(in: TrackingContext(evaluation: $0)) }
            return Reading(name: name) { times in count(times) { handles[$0 % units].value > 10 } }
        }
        return [
            Reading(name: "int_by_names_for_context_without_experiment") { times in
                count(times) {
                    features.value("feature_7", variable: "batchSize", default: 0, for: contexts[$0 % units]) == 250
                }
            },
            byNames("int_by_names_from_experiment", "feature_2"),
            byNames("int_by_names_from_sticky_experiment", "feature_7"),
            byHandle("int_by_handle_from_experiment", "feature_2"),
            byHandle("int_by_handle_from_sticky_experiment", "feature_7"),
            evaluation("assignment_by_hash", "experiment_2", .assigned),
            evaluation("assignment_by_hash_with_filters", "experiment_4", .assigned),
            evaluation("sticky_hit", "experiment_7", .sticky),
        ]
    }

    @inline(__always)
    private static func count(_ times: Int, _ isRight: (Int) -> Bool) -> Int {
        var right = 0
        for number in 0..<times where isRight(number) { right += 1 }
        return right
    }
}

extension Reading {
    /// Reads, and makes sure of the answers. Not inlined, so that callgrind counts it by its name.
    @inline(never)
    func run(_ times: Int) throws {
        guard read(times) == times else { throw BenchmarkError("\(name): some answers were wrong") }
    }

    /// The nanoseconds of each of some reads.
    func time(_ times: Int) throws -> Double {
        let start = Meter.nanoseconds
        try run(times)
        return Double(Meter.nanoseconds - start) / Double(times)
    }
}
