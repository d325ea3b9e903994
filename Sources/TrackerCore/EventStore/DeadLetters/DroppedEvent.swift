import FoundationEssentials

/// An event that is never sent; see ``Tracker/onDrop(_:)``.
public struct DroppedEvent: Sendable, Hashable {
    /// The namespace in which the event was tracked.
    public let namespace: String

    /// The event's id.
    public let id: EventID

    /// The event's parameters of the Snowplow tracker protocol, such as `e`, `eid` and `ue_px`; all values are strings.
    public let payload: JSONObject

    /// Whether the event was tracked under server anonymisation; its requests have the header `SP-Anonymous: *`.
    public let isAnonymous: Bool

    /// Creates an event, for example to test a closure.
    /// - Parameters:
    ///   - namespace: The namespace in which the event was tracked.
    ///   - id: The event's id.
    ///   - payload: The event's parameters of the Snowplow tracker protocol; all values are strings.
    ///   - isAnonymous: Whether the event was tracked under server anonymisation; false by default.
    public init(namespace: String, id: EventID, payload: JSONObject, isAnonymous: Bool = false) {
        (self.namespace, self.id, self.payload, self.isAnonymous) = (namespace, id, payload, isAnonymous)
    }

    /// Reads a stored event; nil if it is too damaged.
    init?(_ event: StoredEvent, of namespace: String) {
        guard let members = event.members, let text = members.first(where: { $0.name == "eid" })?.value.string,
            let id = UUID(uuidString: text)
        else { return nil }
        self.init(namespace: namespace, id: EventID(id), payload: JSONObject(members), isAnonymous: event.isAnonymous)
    }
}

/// The receiver of the payloads of a namespace's dropped events.
package struct DropRecipient {
    /// Whether it accepts payloads now.
    let isOpen: () -> Bool
    let receive: ([StoredEvent], DropReason) -> Void
    /// Counts events that could not be kept as dead letters, and logs the reason.
    let notKept: (Int, _ reason: String) -> Void

    package init(
        isOpen: @escaping () -> Bool, receive: @escaping ([StoredEvent], DropReason) -> Void,
        notKept: @escaping (Int, _ reason: String) -> Void
    ) {
        (self.isOpen, self.receive, self.notKept) = (isOpen, receive, notKept)
    }
}
