import Foundation

/// One result, printed as a line of JSON.
package struct Figure: Codable, Sendable {
    package var figure: String
    package var value: Double
    package var unit: String
    package var store: String?
    package var events: Int?
    package var batch: Int?
    /// What of several it was taken of.
    package var of: String?

    package init(
        _ figure: String, _ value: Double, _ unit: String, store: Rig.Store? = nil, events: Int? = nil,
        batch: Int? = nil, of subject: String? = nil
    ) {
        self.figure = figure
        self.value = (value * 1000).rounded() / 1000
        self.unit = unit
        self.store = store?.rawValue
        self.events = events
        self.batch = batch
        of = subject
    }

    package func print() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        fflush(nil)
    }
}
