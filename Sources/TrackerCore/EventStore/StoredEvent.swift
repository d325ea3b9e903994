/// An unsent event as a store holds it.
package struct StoredEvent: Sendable, Equatable {
    /// Its number within the store; a later event has a higher one.
    package let id: Int64

    /// Whether it was tracked under server anonymisation.
    package let isAnonymous: Bool

    /// The JSON object that will be sent.
    package let payload: [UInt8]
}

extension StoredEvent {
    /// The namespace that the event itself names, cut at the bound of ``AtomicField/tna``.
    var namespace: String? { EventScan.value(of: "tna", in: payload) }

    /// The event's parameters; nil if its payload is no event.
    var members: [JSONObject.Member]? { EventScan.parameters(of: payload) }
}
