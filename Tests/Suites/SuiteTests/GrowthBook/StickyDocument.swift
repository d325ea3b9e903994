import Foundation
import TrackerFeatures

/// A document of GrowthBook's sticky bucket service: the variations of one unit.
struct StickyDocument {
    // GrowthBook writes the bucket version into the key also if it is 0.
    private static let firstVersion = "__0"

    let assignments: [StickyAssignment]

    init(_ document: JSONValue) {
        let unit = ExperimentUnit(
            name: document["attributeName"]?.string ?? "", id: document["attributeValue"]?.string ?? "")
        assignments = (document["assignments"]?.object?.members ?? []).map { key, variant in
            StickyAssignment(
                unit: unit,
                experiment: key.hasSuffix(Self.firstVersion) ? String(key.dropLast(Self.firstVersion.count)) : key,
                variant: variant.string ?? "", date: Date(timeIntervalSince1970: 0))
        }
    }
}

extension StickyAssignment {
    /// The assignment without its time.
    var sentence: String { "\(unit.name) \(unit.id): \(experiment) \(variant)" }
}
