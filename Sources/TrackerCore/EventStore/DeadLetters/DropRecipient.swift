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
