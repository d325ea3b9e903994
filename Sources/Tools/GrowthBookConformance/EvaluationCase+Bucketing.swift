import TrackerConfig
import TrackerCore

extension EvaluationCase {
    /// Columns: seed, value, version, expected number or null.
    func hash() throws(Fault) -> JSONValue {
        guard let version = self[2].int.flatMap(HashVersion.init) else { return .null }
        return JSONValue(shortest: Bucketing.fraction(of: try text(1), seed: try text(0), version: version))
    }

    /// Columns: name, [number of variations, coverage, weights], expected ranges.
    func bucketRange() throws(Fault) -> JSONValue {
        let arguments = try list(1)
        let coverage = arguments[1] == .null ? 1 : try arguments.number(1)
        let weights = arguments[2] == .null ? nil : try arguments.list(2).numbers()
        let ranges = GrowthBookBucketing.ranges(count: try arguments.count(0), coverage: coverage, weights: weights)
        return .array(
            ranges.map { .array([JSONValue(shortest: $0.lowerBound), JSONValue(shortest: $0.upperBound)]) })
    }

    /// Columns: name, number, ranges, expected index.
    func chosenVariation() throws(Fault) -> JSONValue {
        .int(GrowthBookBucketing.chooseVariation(try number(1), try list(2).ranges()))
    }

    /// Columns: name, value, [namespace, from, to], expected result.
    func isInNamespace() throws(Fault) -> JSONValue {
        let namespace = try list(2)
        let (id, from, to) = (try namespace.text(0), try namespace.number(1), try namespace.number(2))
        return .bool(GrowthBookBucketing.inNamespace(try text(1), id, from, to))
    }

    /// Columns: number of variations, expected weights.
    func equalWeights() throws(Fault) -> JSONValue {
        .array(GrowthBookBucketing.equalWeights(try count(0)).map { JSONValue(shortest: $0) })
    }
}
