package import FoundationEssentials

/// The rollout of a document on this instance.
package struct RolloutStatus: Sendable, Equatable, Encodable {
    /// The failure rates of a tracker's requests before the document and with it.
    package struct Tracker: Sendable, Equatable, Encodable {
        /// The share of failed requests before the document was applied, among the newest 64 at most, 0…1; nil if there
        /// were fewer than 20.
        package var failureRateBefore: Double?

        /// The share of failed requests since the document was applied, among the newest 64 at most, 0…1; nil if there
        /// were none.
        package var failureRateAfter: Double?

        /// The number of requests since the document was applied, counting the newest 64 at most.
        package var requests = 0

        /// The number of failed requests among them.
        package var failedRequests = 0
    }

    /// The version of the document.
    package var version: Int

    /// The percentage of the instances that apply the document, 0 … 100.
    package var percent: Double

    /// The position of this instance, 0 ..< 100: it is included if ``percent`` is higher. nil if there is no instance
    /// id.
    package var position: Double?

    /// Whether the document is for this instance.
    package var isIncluded: Bool

    /// The state of the canary.
    package var state = NamedCode<RolloutStatus>.none

    /// The end of the bake time; nil if the document is not in use, was not observed, or failed and could not be rolled
    /// back.
    package var bakeEnd: Date?

    /// The time by which the document is reverted if requests continue to fail, accurate to some seconds; many failed
    /// requests revert it earlier. nil unless it is baking and a tracker fails with it.
    package var expectedRevertTime: Date?

    /// The failure rates of the trackers, by namespace; empty if the document was not observed.
    package var trackers: [String: Tracker] = [:]
}

/// The states of a canary.
extension NamedCode<RolloutStatus> {
    /// The document is in use and under observation.
    package static var baking: Self { Self(rawValue: "baking") }

    /// The document is in use, and its bake time is over.
    package static var passed: Self { Self(rawValue: "passed") }

    /// The document failed on this instance and was rolled back.
    package static var reverted: Self { Self(rawValue: "reverted") }

    /// The document is not in use, was not observed, or failed and could not be rolled back.
    package static var none: Self { Self(rawValue: "none") }
}
