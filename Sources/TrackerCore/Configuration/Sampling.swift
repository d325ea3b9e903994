/// The share of a tracker's events to track, by event, user or trace.
///
/// In a document it is an object of `trackerConfiguration`: `"sampling": {"rate": 0.1, "by": "user"}`. Events that are
/// left out are counted as ``TrackerCounters/sampledOut``, not as drops. A rate outside 0 … 1 or an unknown `by` leaves
/// the setting unset, with a warning.
///
/// ```swift
/// try tracker.settings.set(\.sampling, to: Sampling(rate: 0.1, by: .user))
/// ```
public struct Sampling: Sendable, Hashable {
    /// The events that are tracked or left out together.
    @nonexhaustive
    public enum Key: String, Sendable, Hashable, CaseIterable, DocumentWord {
        /// Each event by itself.
        case event
        /// All events of a user, by user id or else domain user id; an event without either is sampled by itself.
        case user
        /// All events of a trace (``TrackingContext/traceID``), in all services alike; an event without a trace is
        /// sampled by itself.
        case trace
    }

    /// The share of tracked events; 0 … 1.
    public let rate: Double

    /// The events that are tracked or left out together.
    public let key: Key

    /// Creates a rule.
    /// - Parameters:
    ///   - rate: The share of tracked events; 0 … 1; a number outside is clamped, and NaN becomes 1.
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
            switch member.name {
            case "rate":
                guard let number = member.value.value.double else {
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
        guard let rate else { throw FieldMismatch(expected: "an object with rate", found: node) }
        guard 0...1 ~= rate else {
            warn("the rate \(rate) is outside 0…1; the setting stays unset")
            return nil
        }
        return Sampling(rate: rate, by: key)
    }

    package var json: JSONValue { ["rate": .double(rate), "by": .string(key.rawValue)] }
}

extension Sampling {
    /// Whether an event is tracked.
    /// - Parameters:
    ///   - event: The event.
    ///   - fraction: A random number in 0 ..< 1, for an event that is sampled by itself.
    /// - Returns: Whether it is within the rate.
    func admits(_ event: TrackedEvent, _ fraction: Double) -> Bool {
        let subject = event.mergedSubject
        let id: String? =
            switch key {
            case .event: nil
            case .user: subject.userID ?? subject.domainUserID
            case .trace: event.traceID
            }
        return (id.map(Self.fraction) ?? fraction) < rate
    }

    /// Maps an id to a number in 0 ..< 1, the same in all processes.
    private static func fraction(of id: String) -> Double {
        var hash = StableHash()
        hash.combine(id.utf8)
        // FNV leaves the high bits of short texts similar; the finalizer of SplitMix64 mixes them.
        var word = hash.value
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        word ^= word >> 31
        return Double(word >> 11) * 0x1p-53
    }
}
