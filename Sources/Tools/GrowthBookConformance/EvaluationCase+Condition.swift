import TrackerConfig
import TrackerCore

extension EvaluationCase {
    /// Columns: name, condition, attributes, expected result, saved groups (optional).
    func condition() throws(Fault) -> JSONValue {
        let segments = self[4] == .null ? Segments() : Segments(try object(4))
        let attributes = try object(2)
        return .bool(Condition(try object(1), segments: segments).matches { attributes[$0] })
    }
}
