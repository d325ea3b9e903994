package import FoundationEssentials

/// The last changes of overrides since the start of the process, the newest first; kept when the override is gone.
package struct OverrideHistory: Sendable {
    /// A change of one override, or of many at once.
    package struct Event: Sendable, Equatable {
        package enum Kind: Sendable {
            case set, changed, removed, expired
        }

        package let kind: Kind

        /// The change with its author and reason, as a sentence without secrets: "dana set checkout.retryLimit 3 → 12: INC-412".
        package private(set) var text: String

        /// The same without values, which a later document may make secret.
        private let textWithoutValues: String

        /// The time when it first happened.
        package fileprivate(set) var firstTime: Date

        /// The time when it last happened.
        package let lastTime: Date

        /// The number of times that it happened.
        package fileprivate(set) var count = 1

        /// The override; nil for many.
        let target: OverrideTarget?

        init(_ kind: Kind, _ text: String, withoutValues: String? = nil, of target: OverrideTarget?, at time: Date) {
            (self.kind, self.text, self.target) = (kind, text, target)
            (firstTime, lastTime) = (time, time)
            textWithoutValues = withoutValues ?? text
        }

        func withoutValues() -> Event {
            var event = self
            event.text = textWithoutValues
            return event
        }
    }

    /// The most events that are kept.
    package static let maxEvents = 50

    package private(set) var events: [Event] = []

    /// Whether the file has been read.
    var hasLoaded = false

    /// Adds events, the oldest first. One that repeats an earlier one is folded into it.
    mutating func add(_ added: [Event]) {
        for event in added { add(event) }
    }

    private mutating func add(_ event: Event) {
        var event = event
        if let repeated = events.firstIndex(where: { $0.kind == event.kind && $0.text == event.text }) {
            let earlier = events.remove(at: repeated)
            (event.firstTime, event.count) = (earlier.firstTime, earlier.count + 1)
        }
        events.insert(event, at: 0)
        if events.count > Self.maxEvents { events.remove(at: oldestReplaced ?? events.count - 1) }
    }

    /// The oldest event after which its override changed again, so that code that changes one override all the time does not
    /// push out all others.
    private var oldestReplaced: Int? {
        events.indices.last { place in
            events[place].target != nil && events[..<place].contains { $0.target == events[place].target }
        }
    }
}
