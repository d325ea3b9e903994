/// A condition on the attributes of a context, in GrowthBook's language, which resembles MongoDB's.
///
/// ```json
/// { "plan": "pro", "country": { "$in": ["US", "CA"] }, "email": { "$regex": "@example\\.com$" } }
/// ```
///
/// A condition is compiled once. Its meaning is that of GrowthBook's JavaScript SDK, except that integers and versions
/// are exact, and that a condition with a fatal problem, such as an unknown operator, matches nothing, even within
/// `$not`.
package final class Condition: Sendable {
    /// A part of a condition that cannot be used, or that may not mean what its author intends.
    package struct Problem: Sendable, Hashable {
        /// The place within the condition, such as ".email.$regex" or ".$or[1].plan".
        package let path: String

        /// The reason, such as "unknown operator '$regx'".
        package let reason: String

        /// Whether it makes the condition match nothing.
        package let isFatal: Bool

        package init(path: String, reason: String, isFatal: Bool) {
            (self.path, self.reason, self.isFatal) = (path, reason, isFatal)
        }
    }

    /// The condition as it was written.
    package let json: JSONObject

    /// The parts that cannot be used, in the order of the condition.
    ///
    /// There are at most 100, and one more if the first fatal one comes after them.
    package let problems: [Problem]

    /// The usable parts that may be mistakes of the author, such as an empty list; at most 100.
    package let warnings: [Problem]

    private let test: ObjectTest
    /// The lists of the segments in the condition.
    private let lists: [ExactText: JSONValue]

    /// Compiles a condition.
    /// - Parameters:
    ///   - json: The condition.
    ///   - segments: The segments that it can use; none by default.
    ///   - units: The names of units, for warnings; none by default.
    package init(_ json: JSONObject, segments: Segments = Segments(), units: Set<String> = []) {
        var compiler = ConditionCompiler(segments: segments, units: units)
        let test = compiler.object(json)
        self.json = json
        (problems, warnings, lists) = (compiler.problems, compiler.warnings, compiler.lists)
        self.test = compiler.isFatal ? .never : test
    }

    /// Evaluates the condition.
    /// - Parameter attribute: The value of an attribute by its whole name; nil if it is missing, which means the same
    ///   as null. For a path such as "address.city" it is called with the first part.
    /// - Returns: Whether the condition holds; false if its regular expressions take more than 5,000,000 steps (some 50
    ///   ms), a few for each character.
    package func matches(_ attribute: (String) -> JSONValue?) -> Bool {
        ReadBudget.open { matches(attribute, $0) }
    }

    /// Evaluates the condition as a part of a read.
    /// - Parameters:
    ///   - attribute: The value of an attribute by its whole name; nil if it is missing.
    ///   - budget: The remaining work.
    /// - Returns: Whether the condition holds; false if the budget is exhausted.
    package func matches(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> Bool {
        test.matches(attribute, budget) && !budget.isExhausted
    }

    /// Describes the first part that does not hold: "plan: 'free' is not 'pro'".
    /// - Parameters:
    ///   - attribute: The value of an attribute by its whole name; nil if it is missing.
    ///   - budget: The remaining work.
    /// - Returns: The part; nil if the condition holds, or if the budget is exhausted.
    package func failure(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> String? {
        if let problem = problems.first(where: \.isFatal) {
            return "\(problem.path.oneLine(most: 100)): \(problem.reason)"
        }
        let clause = test.failure(attribute, budget)
        return budget.isExhausted ? nil : clause
    }
}

extension Condition: Hashable {
    /// Whether both are the same JSON and name segments with the same members.
    package static func == (left: Condition, right: Condition) -> Bool {
        left === right || (left.json == right.json && left.lists == right.lists)
    }

    /// Hashes the condition as it was written.
    package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
