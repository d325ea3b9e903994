import TrackerConfig
import TrackerCore

/// A conformance case of one category: a list of columns.
struct EvaluationCase {
    /// Why a case has no result.
    struct Fault: Error {
        let reason: String
    }

    /// The evaluation of each category's cases.
    static let categories: [String: @Sendable (EvaluationCase) async throws(Fault) -> JSONValue] = [
        "evalCondition": { (columns) throws(Fault) in try columns.condition() },
        "hash": { (columns) throws(Fault) in try columns.hash() },
        "getBucketRange": { (columns) throws(Fault) in try columns.bucketRange() },
        "chooseVariation": { (columns) throws(Fault) in try columns.chosenVariation() },
        "inNamespace": { (columns) throws(Fault) in try columns.isInNamespace() },
        "getEqualWeights": { (columns) throws(Fault) in try columns.equalWeights() },
        "feature": { (columns) async throws(Fault) in try columns.feature() },
        "run": { (columns) async throws(Fault) in try columns.experimentRun() },
        "stickyBucket": { (columns) async throws(Fault) in try await columns.stickyBucket() },
    ]

    private let columns: [JSONValue]

    init(_ columns: [JSONValue]) {
        self.columns = columns
    }

    /// Evaluates the case on a line: `{"result": …}`, or `{"error": "…"}` if it cannot be taken.
    static func answer(_ line: [UInt8]) async -> JSONObject {
        do {
            let json = try JSONReader.read(line).value
            guard let category = json["category"]?.string else { throw Fault(reason: "'category' is not a text") }
            guard let columns = json["case"]?.array else { throw Fault(reason: "'case' is not a list") }
            guard let evaluate = categories[category] else {
                throw Fault(reason: "there is no category \(category.excerpt)")
            }
            return ["result": try await evaluate(EvaluationCase(columns))]
        } catch let fault as Fault {
            return ["error": .string(fault.reason)]
        } catch {
            return ["error": .string("\(error)")]
        }
    }

    /// A column; null if there is none.
    subscript(index: Int) -> JSONValue {
        columns.indices.contains(index) ? columns[index] : .null
    }

    func text(_ index: Int) throws(Fault) -> String {
        guard let text = self[index].string else { throw fault(index, "a text") }
        return text
    }

    func object(_ index: Int) throws(Fault) -> JSONObject {
        guard let object = self[index].object else { throw fault(index, "an object") }
        return object
    }

    /// A column that is itself a list of columns.
    func list(_ index: Int) throws(Fault) -> EvaluationCase {
        guard let list = self[index].array else { throw fault(index, "a list") }
        return EvaluationCase(list)
    }

    func number(_ index: Int) throws(Fault) -> Double {
        guard let number = self[index].double else { throw fault(index, "a number") }
        return number
    }

    /// A number of variations.
    func count(_ index: Int) throws(Fault) -> Int {
        guard let count = self[index].int, count <= 10_000 else { throw fault(index, "an integer up to 10,000") }
        return count
    }

    private func fault(_ index: Int, _ expected: String) -> Fault {
        Fault(reason: "expected \(expected) in column \(index + 1)")
    }
}
