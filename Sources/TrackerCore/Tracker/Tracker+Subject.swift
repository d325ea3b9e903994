extension Tracker {
    /// The user's id of the tracker's subject, read without merging the layers.
    package var subjectUserID: String? { state.withLock { $0.settings.subject.userID } }

    /// Whether events name no user, read without merging the layers.
    package var isUserAnonymous: Bool { state.withLock { $0.settings.isUserAnonymous } }
}
