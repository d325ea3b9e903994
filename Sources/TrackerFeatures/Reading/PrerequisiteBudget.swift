/// How much one read may ask of other features: features that ask much of each other must not stop a request.
package final class PrerequisiteBudget {
    private var rest = Prerequisite.maxEvaluations

    init() {}

    /// Whether more was asked than there was.
    var isExceeded: Bool { rest < 0 }

    /// Takes one prerequisite, or one value for a prerequisite's condition.
    /// - Returns: Whether there was one left.
    func spend() -> Bool {
        rest = max(rest, 0) - 1
        return rest >= 0
    }
}
