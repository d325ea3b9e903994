import Foundation
import TrackerConfig

/// GrowthBook's published cases, which lie beside the checkout.
enum GrowthBookCases {
    private static let path = URL(filePath: #filePath).appending(path: "../../../../../shared/growthbook/cases.json")
        .standardized.path

    /// Whether the cases are there.
    static let areHere = FileManager.default.fileExists(atPath: path)

    /// The cases of a category, each a list of columns.
    static func of(_ category: String) throws -> [[JSONValue]] {
        let json = try JSONReader.read([UInt8](Data(contentsOf: URL(filePath: path)))).value
        return (json[category]?.array ?? []).map { $0.array ?? [$0] }
    }
}
