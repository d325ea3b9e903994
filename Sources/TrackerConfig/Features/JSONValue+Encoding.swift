import Foundation

extension JSONValue {
    /// Makes JSON of any value.
    /// - Throws: Where it has a number that is not finite, or refuses to be encoded.
    init(encoding value: some Encodable, at place: String) throws(FeatureError) {
        func refused(_ reason: String) -> FeatureError {
            FeatureError(.notEncodable, place: place, reason: "\(reason) cannot be written as JSON")
        }
        if let value = value as? JSONValue {
            guard value.isFinite else { throw refused("a number that is not finite") }
            self = value
            return
        }
        do {
            self = try JSONReader.read(Array(JSONEncoder().encode(value))).value
        } catch {
            throw refused("a value of type \(type(of: value))")
        }
    }
}
