import FoundationEssentials
import TrackerFeatures

/// The documents of GrowthBook's sticky bucket service, in memory.
final class GrowthBookCaseDocuments: LocalAssignmentStore {
    // GrowthBook writes the number of the assignment also if it is 0.
    private static let firstVersion = "__0"

    private let assignments = Locked<[(unit: ExperimentUnit, experiment: String, variant: String)]>([]
    )

    /// Keeps documents.
    /// - Parameter documents: Each with `attributeName`, `attributeValue` and `assignments`.
    init(_ documents: [JSONValue]) {
        for document in documents {
            guard let name = document["attributeName"]?.string,
                let value = document["attributeValue"]?.string
            else {
                continue
            }
            let unit = ExperimentUnit(name: name, id: value)
            for (key, variant) in document["assignments"]?.object?.members ?? [] {
                guard let variant = variant.string else { continue }
                let isFirst = key.hasSuffix(Self.firstVersion)
                put(unit, isFirst ? String(key.dropLast(Self.firstVersion.count)) : key, variant)
            }
        }
    }

    /// The documents by attribute and value.
    var json: JSONObject {
        var documents = JSONObject()
        for (unit, experiment, variant) in assignments.withLock({ $0 }) {
            let name = "\(unit.name)||\(unit.id)"
            var assignments = documents[name]?["assignments"]?.object ?? JSONObject()
            assignments[Self.key(of: experiment)] = .string(variant)
            documents[name] = [
                "attributeName": .string(unit.name), "attributeValue": .string(unit.id),
                "assignments": .object(assignments),
            ]
        }
        return documents
    }

    /// GrowthBook's key of an experiment, whose number the SDK leaves out if it is 0.
    private static func key(of experiment: String) -> String {
        let parts = experiment.split(separator: "__", omittingEmptySubsequences: false)
        return parts.count > 1 && parts.last.flatMap { Int($0) } != nil
            ? experiment : experiment + firstVersion
    }

    private func put(_ unit: ExperimentUnit, _ experiment: String, _ variant: String) {
        assignments.withLock { assignments in
            assignments.removeAll { $0.unit == unit && $0.experiment.isExactly(experiment) }
            assignments.append((unit, experiment, variant))
        }
    }

    private func stored(_ unit: ExperimentUnit) -> [StickyAssignment] {
        assignments.withLock { $0.filter { $0.unit == unit } }.map { _, experiment, variant in
            StickyAssignment(
                unit: unit, experiment: experiment, variant: variant, date: Date(timeIntervalSince1970: 0))
        }
    }

    func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] { stored(unit) }

    func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] {
        for assignment in assignments {
            put(assignment.unit, assignment.experiment, assignment.variant)
        }
        return []
    }

    func forget(_ unit: ExperimentUnit) async throws -> Int {
        assignments.withLock { assignments in
            let count = assignments.count
            assignments.removeAll { $0.unit == unit }
            return count - assignments.count
        }
    }

    func storedAssignments(of unit: ExperimentUnit) -> [StickyAssignment]? { stored(unit) }
}
