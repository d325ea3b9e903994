/// Which experiment overrides which variable, to find two that override one.
struct OverriddenVariables {
    private struct Key: Hashable {
        let feature: String
        let variable: String
    }

    private var owners: [Key: String] = [:]
    private var told: Set<Key> = []
    private var experiment = ""

    /// Says whose overrides follow.
    mutating func begin(_ experiment: String) {
        self.experiment = experiment
        told = []
    }

    /// Notes an override.
    /// - Parameters:
    ///   - variable: The variable's name.
    ///   - feature: The feature's name.
    /// - Returns: The id of an earlier experiment that overrides the variable too, once for each variable.
    mutating func insert(_ variable: String, of feature: String) -> String? {
        let key = Key(feature: feature, variable: variable)
        guard let owner = owners[key] else {
            owners[key] = experiment
            return nil
        }
        return owner != experiment && told.insert(key).inserted ? owner : nil
    }
}
