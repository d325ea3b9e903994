/// A condition on the attributes of a context, in GrowthBook's language, which resembles MongoDB's.
///
/// ```json
/// { "plan": "pro", "country": { "$in": ["US", "CA"] }, "email": { "$regex": "@example\\.com$" } }
/// ```
///
/// A condition is compiled once. Its meaning is that of GrowthBook's JavaScript SDK, except that a condition with a fatal
/// problem, such as an unknown operator, matches nothing, also within `$not`.
package struct Condition: Sendable {
    /// A part of a condition that cannot be used.
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

    /// What the copies share, so that a condition is copied at the cost of one reference.
    private final class Storage: Sendable {
        let json: JSONObject
        let problems: [Problem]
        let test: ObjectTest
        /// The lists of the segments that the condition names.
        let lists: [ExactText: JSONValue]

        init(_ json: JSONObject, _ segments: Segments) {
            var compiler = ConditionCompiler(segments: segments)
            let test = compiler.object(json)
            self.json = json
            problems = compiler.problems
            lists = compiler.lists
            self.test = compiler.isFatal ? .never : test
        }
    }

    private let storage: Storage

    /// The condition as it was written.
    package var json: JSONObject { storage.json }

    /// The parts that cannot be used, in the order of the condition.
    ///
    /// There are at most 100, and one more if the first fatal one comes after them.
    package var problems: [Problem] { storage.problems }

    /// Compiles a condition.
    /// - Parameters:
    ///   - json: The condition.
    ///   - segments: The segments that it can use; none by default.
    package init(_ json: JSONObject, segments: Segments = Segments()) {
        storage = Storage(json, segments)
    }

    /// Evaluates the condition.
    /// - Parameter attribute: The value of an attribute by its whole name; nil if it is missing, which means the same
    ///   as null. For a path such as "address.city" it is called with the first part.
    /// - Returns: Whether the condition holds; false if its regular expressions take more than 5,000,000 steps (some 50 ms), a few
    ///   for each character.
    package func matches(_ attribute: (String) -> JSONValue?) -> Bool {
        ReadBudget.open { matches(attribute, $0) }
    }

    /// Evaluates the condition as a part of a read.
    /// - Parameters:
    ///   - attribute: The value of an attribute by its whole name; nil if it is missing.
    ///   - budget: The work that is left.
    /// - Returns: Whether the condition holds; false if the budget is used up.
    package func matches(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> Bool {
        storage.test.matches(attribute, budget) && !budget.isExhausted
    }

    /// The compiled condition.
    var test: ObjectTest { storage.test }
}

extension Condition: Hashable {
    /// Whether both are the same JSON and name segments with the same members.
    package static func == (left: Condition, right: Condition) -> Bool {
        left.storage === right.storage || (left.json == right.json && left.storage.lists == right.storage.lists)
    }

    /// Hashes the condition as it was written.
    package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
