/// An unsent event in a store.
package struct StoredEvent: Sendable, Equatable {
    /// The number within the store; later events have higher numbers.
    package let id: Int64

    /// Whether it was tracked under server anonymisation.
    package let isAnonymous: Bool

    /// The JSON object that will be sent.
    package let payload: [UInt8]
}

extension StoredEvent {
    /// The namespace in the event's payload, truncated at the bound of ``AtomicField/tna``.
    var namespace: String? { EventScan.value(of: "tna", in: payload) }

    /// The event's parameters; nil if its payload is not an event.
    var members: [JSONObject.Member]? { EventScan.parameters(of: payload) }
}

extension EventPayload {
    /// Reads an event as the encoder writes it; nil if the bytes are not an event.
    package init?(_ bytes: [UInt8]) {
        guard let parameters = EventScan.parameters(of: bytes) else { return nil }
        self.init(JSONObject(parameters))
    }
}
