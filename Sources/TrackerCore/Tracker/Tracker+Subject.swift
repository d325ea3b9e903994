extension Tracker {
    /// Whom events are about, without merging the layers.
    package var subjectUserID: String? { state.withLock { $0.settings.subject.userId } }

    /// Whether events name no user, without merging the layers.
    package var isUserAnonymous: Bool { state.withLock { $0.settings.isUserAnonymous } }
}
