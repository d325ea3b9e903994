extension Tracker {
    /// The subject of events that have none of their own, without merging the layers.
    package var subjectUserID: String? { access { $0.settings.subject.userID } ?? nil }

    /// Whether events name no user, without merging the layers.
    package var isUserAnonymous: Bool { access { $0.settings.isUserAnonymous } ?? false }
}
