extension Tracker {
    /// The subject of events that have none of their own, without merging the layers.
    package var subjectUserID: String? { state.withLock { $0.settings.subject.userID } }

    /// Whether events name no user, without merging the layers.
    package var isUserAnonymous: Bool { state.withLock { $0.settings.isUserAnonymous } }
}
