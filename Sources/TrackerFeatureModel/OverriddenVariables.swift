/// Which experiment overrides which variable, to find two that override one.
struct OverriddenVariables {
    /// The experiments' ids by the numbers of the variables that the document defines.
    private var owners: [String?]
    /// The experiments of other variables.
    private var strangers: [VariableKey: String] = [:]
    private var told: Set<VariableKey> = []
    private var experiment = ""

    /// - Parameter count: How many variables the document defines.
    init(count: Int) {
        owners = Array(repeating: nil, count: count)
    }

    /// Says whose overrides follow.
    mutating func begin(_ experiment: String) {
        self.experiment = experiment
        told = []
    }

    /// Notes an override.
    /// - Parameters:
    ///   - variable: The variable's name.
    ///   - feature: The feature's name.
    ///   - number: The variable's number among the document's; nil if the document does not define it.
    /// - Returns: The id of an earlier experiment that overrides the variable too, once for each variable.
    mutating func insert(_ variable: String, of feature: String, _ number: Int?) -> String? {
        let key = VariableKey(feature, variable)
        let known = if let number { owners[number] } else { strangers[key] }
        guard let owner = known else {
            if let number { owners[number] = experiment } else { strangers[key] = experiment }
            return nil
        }
        return !owner.isExactly(experiment) && told.insert(key).inserted ? owner : nil
    }
}
