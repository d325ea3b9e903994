/// The last changes of overrides since the start of the process, the newest first. They are kept after the overrides
/// are removed.
struct OverrideHistory: Sendable {
    /// The maximum number of changes.
    private static let maxChanges = 50

    private(set) var changes: [OverrideChange] = []

    /// Whether the file has been read.
    var hasLoaded = false

    /// Adds changes, the oldest first. A change that repeats an earlier one is merged with it.
    mutating func add(_ added: [OverrideChange]) {
        for var change in added {
            if let repeated = changes.firstIndex(where: { $0.kind == change.kind && $0.text == change.text }) {
                change.fold(changes.remove(at: repeated))
            }
            changes.insert(change, at: 0)
            if changes.count > Self.maxChanges { changes.remove(at: oldestReplaced ?? changes.count - 1) }
        }
    }

    /// The oldest change whose override changed again, so that frequent changes of one override do not displace all
    /// others.
    private var oldestReplaced: Int? {
        changes.indices.last { place in
            guard let target = changes[place].override?.target else { return false }
            return changes[..<place].contains { $0.override?.target == target }
        }
    }
}
