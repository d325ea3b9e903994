/// A unit to which an experiment gives a variant: a user, a device or anything else with an id.
public struct ExperimentUnit: Sendable, Hashable {
    /// The name of the unit that experiments use, such as `userId`.
    public let name: String

    /// The unit's id.
    public let id: String

    /// Creates a unit.
    /// - Parameters:
    ///   - name: The name of the unit that experiments use, such as `userId`.
    ///   - id: The unit's id.
    public init(name: String, id: String) {
        self.name = name
        self.id = id
    }

    /// Whether both are the same unit; names and ids are compared by their bytes, as hashes do.
    public static func == (left: ExperimentUnit, right: ExperimentUnit) -> Bool {
        left.id.isExactly(right.id) && left.name.isExactly(right.name)
    }

    /// Hashes the id, which differs more than the name.
    public func hash(into hasher: inout Hasher) {
        id.hash(into: &hasher)
    }
}
