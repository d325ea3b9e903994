/// A condition over the attributes of a context, in GrowthBook's language.
public struct Condition: Sendable, Hashable {
    /// Something in a condition that cannot be used.
    package struct Problem: Sendable, Hashable {
        /// The place within the condition, such as `.email.$regex`.
        package let path: String
        /// What is wrong, as a sentence.
        package let reason: String
        /// Whether the whole condition matches nothing.
        package let isFatal: Bool
    }

    /// The condition as it is written.
    public let json: JSONObject

    /// What cannot be used.
    package let problems: [Problem]

    /// Compiles a condition.
    package init(_ json: JSONObject, segments: Segments = Segments()) {
        self.json = json
        problems = []
    }

    /// Whether the attributes of a context satisfy the condition.
    package func matches(_ attribute: (String) -> JSONValue?) -> Bool { false }
}
