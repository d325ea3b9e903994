import TrackerConfig
import TrackerCore

extension Driver {
    /// Forgets the assignments of units, and returns how many were removed.
    func forget(_ command: Command) async throws(CommandError) -> JSONValue {
        guard let units = try command.object("unit"), !units.isEmpty else {
            throw command.fault("'unit' is missing or empty")
        }
        var count = 0
        for (name, id) in units.members {
            guard let id = id.string else { throw command.fault("'unit.\(name)' is not a string") }
            do {
                count += try await setup.experiments.forget(ExperimentUnit(name: name, id: id))
            } catch {
                throw command.fault("\(error)")
            }
        }
        return .int(count)
    }
}
