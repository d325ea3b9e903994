/// A condition on the attributes of a context, in GrowthBook's language, which resembles MongoDB's.
///
/// ```json
/// { "plan": "pro", "country": { "$in": ["US", "CA"] }, "email": { "$regex": "@example\\.com$" } }
/// ```
///
/// A condition is compiled once. Its meaning is that of GrowthBook's JavaScript SDK, except that a condition with a fatal
/// problem, such as an unknown operator, matches nothing, also within `$not`.
public struct Condition: Sendable {
    /// A part of a condition that cannot be used.
    public struct Problem: Sendable, Hashable {
        /// The place within the condition, such as ".email.$regex" or ".$or[1].plan".
        public let path: String

        /// What is wrong, as "unknown operator '$regx'".
        public let reason: String

        /// Whether the condition matches nothing because of it.
        public let isFatal: Bool

        package init(path: String, reason: String, isFatal: Bool) {
            (self.path, self.reason, self.isFatal) = (path, reason, isFatal)
        }
    }

    /// The condition as it was written.
    public let json: JSONObject

    /// The parts that cannot be used, in the order of the condition.
    public let problems: [Problem]

    private let test: ObjectTest
    /// The lists of the segments that the condition names.
    private let lists: [ExactText: JSONValue]

    /// Compiles a condition.
    /// - Parameters:
    ///   - json: The condition.
    ///   - segments: The segments that it may name; none by default.
    public init(_ json: JSONObject, segments: Segments = Segments()) {
        var compiler = ConditionCompiler(segments: segments)
        let test = compiler.object(json)
        self.json = json
        problems = compiler.problems
        lists = compiler.lists
        self.test = problems.contains(where: \.isFatal) ? .never : test
    }

    /// Evaluates the condition.
    /// - Parameter attribute: The value of an attribute by its whole name; nil if it is missing, which is as null. Of a path
    ///   such as "address.city" it is called with the first part.
    /// - Returns: Whether the condition holds.
    public func matches(_ attribute: (String) -> JSONValue?) -> Bool {
        test.matches(attribute)
    }
}

extension Condition: Hashable {
    /// Whether both are the same JSON and name segments with the same members.
    public static func == (left: Condition, right: Condition) -> Bool {
        left.json == right.json && left.lists == right.lists
    }

    /// Hashes the condition as it was written.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
