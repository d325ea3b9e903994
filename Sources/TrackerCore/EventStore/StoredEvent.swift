/// An unsent event as a store holds it.
package struct StoredEvent: Sendable, Equatable {
    /// Its number within the store; a later event has a higher one.
    package let id: Int64

    /// Whether it was tracked under server anonymisation.
    package let isAnonymous: Bool

    /// The JSON object that will be sent.
    package let payload: [UInt8]
}
