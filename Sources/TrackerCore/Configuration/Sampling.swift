/// The share of a tracker's events to track, by event, user or trace; documents can set it too.
///
/// In a document it is an object of `trackerConfiguration`: `"sampling": {"rate": 0.1, "by": "user"}`. Events that are left
/// out are counted as ``TrackerCounters/sampledOut``, not as drops. A rate outside 0 … 1 or an unknown `by` leaves the setting
/// unset, with a warning.
///
/// ```swift
/// tracker.add(.sampling(rate: 0.1, by: .user))
/// ```
public struct Sampling: Sendable, Hashable {
    /// The events that are tracked or left out together.
    @nonexhaustive
    public enum Key: String, Sendable, Hashable, CaseIterable, DocumentWord {
        /// Each event by itself.
        case event
        /// All events of a user, by the user's id, else the one on the domain; an event without either by itself.
        case user
        /// All events of a trace (``TrackingContext/traceID``), in all services alike; an event without one by itself.
        case trace
    }

    /// The share that is tracked; 0 … 1.
    public let rate: Double

    /// The events that are tracked or left out together.
    public let key: Key

    /// Creates a rule.
    /// - Parameters:
    ///   - rate: The share that is tracked; 0 … 1; a number outside is clamped, and NaN becomes 1.
    ///   - key: The events that are tracked or left out together; each event by itself by default.
    public init(rate: Double, by key: Key = .event) {
        self.rate = rate.isNaN ? 1 : min(max(rate, 0), 1)
        self.key = key
    }
}

extension Sampling: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> Sampling? {
        guard case .object(let members) = node.content else { throw FieldMismatch(expected: "an object", found: node) }
        var rate: Double?
        var key = Key.event
        for member in members {
            switch member.key {
            case "rate":
                guard let number = member.value.approximateValue.double else {
                    throw FieldMismatch(path: ".rate", expected: "a number", found: member.value)
                }
                rate = number
            case "by":
                do throws(FieldMismatch) {
                    guard let word = try Key.read(member.value, warn: warn) else { return nil }
                    key = word
                } catch {
                    throw FieldMismatch(path: ".by", expected: error.expected, found: error.found)
                }
            default: warn("\(member.name.excerpt) is no part of sampling and is ignored")
            }
        }
        guard let rate else { throw FieldMismatch(path: ".rate", expected: "a number", found: node) }
        guard 0...1 ~= rate else {
            warn("the rate \(rate) is outside 0…1; the setting stays unset")
            return nil
        }
        return Sampling(rate: rate, by: key)
    }

    package var json: JSONValue { ["rate": .double(rate), "by": .string(key.rawValue)] }
}
