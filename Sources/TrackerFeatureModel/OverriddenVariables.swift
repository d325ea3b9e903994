/// Which experiment overrides which variable, to find two that override one.
struct OverriddenVariables {
    private var owners: [VariableKey: String] = [:]
    private var told: Set<VariableKey> = []
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
        let key = VariableKey(feature, variable)
        guard let owner = owners[key] else {
            owners[key] = experiment
            return nil
        }
        return !owner.isExactly(experiment) && told.insert(key).inserted ? owner : nil
    }
}
