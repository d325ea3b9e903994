/// What an experiment gives a variant to: a user, a device or anything else that has an id.
public struct ExperimentUnit: Sendable, Hashable {
    /// What it is, by the name that experiments use, as `userId`.
    public let name: String

    /// Its id.
    public let id: String

    /// Creates a unit.
    /// - Parameters:
    ///   - name: What it is, by the name that experiments use, as `userId`.
    ///   - id: Its id.
    public init(name: String, id: String) {
        self.name = name
        self.id = id
    }

    /// Whether both are the same unit; names and ids are compared by their bytes, as hashes see them.
    public static func == (left: ExperimentUnit, right: ExperimentUnit) -> Bool {
        left.id.isExactly(right.id) && left.name.isExactly(right.name)
    }

    /// Hashes the name and the id.
    public func hash(into hasher: inout Hasher) {
        name.hash(into: &hasher)
        id.hash(into: &hasher)
    }
}
