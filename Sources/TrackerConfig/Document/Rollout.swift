import TrackerFeatures

/// The share of a fleet that applies a document, and how instances observe it.
///
/// ```json
/// "rollout": { "percent": 10, "bakeSeconds": 600, "maxFailureRate": 0.2 }
/// ```
package struct Rollout: Sendable, Hashable {
    /// The percentage of the instances that apply the document, 0 … 100; it has no default.
    package var percent: Double

    /// The text that is hashed with the instance's id; nil, the default, for the empty text. With the same seed, a
    /// higher ``percent`` includes the instances of a lower one. Another seed selects other instances first.
    package var seed: String?

    /// The bake time, 0 to 604,800 s; 600 s by default.
    package var bakeTime = Duration.seconds(600)

    /// The rise in the share of failed requests above which the canary is reverted, 0…1; 0.2 by default.
    package var maxFailureRate = 0.2

    /// Returns whether the document is for an instance.
    /// - Parameter instanceID: The instance's id; an instance without one is in no canary, but in a rollout to all
    ///   instances.
    /// - Returns: Whether the document is for the instance.
    func includes(_ instanceID: String?) -> Bool {
        percent >= 100 || instanceID.map { position(of: $0) < percent } ?? false
    }

    /// The position of an instance in the fleet.
    /// - Returns: 0 ..< 100; the document is for the instance if ``percent`` is higher.
    func position(of instanceID: String) -> Double {
        Bucketing.fraction(of: instanceID, seed: seed ?? "", version: .v2) * 100
    }
}

extension Document {
    /// The version and its rollout; nil if the document has none.
    var offer: (version: Int, rollout: Rollout)? { rollout.map { (version, $0) } }

    /// Returns whether the bake time is over in all processes of an instance: another process may have started to
    /// observe the document later.
    /// - Parameters:
    ///   - start: The time of the fetch, in milliseconds since 1970.
    ///   - time: The current time, in milliseconds since 1970.
    /// - Returns: Whether it is over.
    func isProven(since start: Int64, at time: Int64) -> Bool {
        rollout.map { Duration.milliseconds(time - start) >= $0.bakeTime * 2 } ?? true
    }
}

extension DocumentDecoder {
    mutating func rollout(_ node: JSONNode) throws(ConfigurationError) -> Rollout {
        let members = try object(node)
        let percentNode = try required("percent", members, node)
        var rollout = Rollout(percent: try number(percentNode, within: 0...100))
        for member in members where !member.isNull {
            switch member.name {
            case "percent": break
            case "seed": rollout.seed = try text(member.value)
            case "bakeSeconds":
                rollout.bakeTime = .seconds(try number(member.value, within: 0...604_800))
            case "maxFailureRate": rollout.maxFailureRate = try number(member.value, within: 0...1)
            default: warn(Self.unknownKey, member.nameOffset)
            }
        }
        return rollout
    }
}
