import FoundationEssentials

extension JSONValue {
    // Readers take 128 levels, of which a file of overrides needs some around the value.
    private static let maxDepth = 120

    /// Makes JSON of any value.
    /// - Throws: Where it has a number that is not finite, is nested too deeply, or refuses to be encoded.
    init(encoding value: some Encodable, at place: String) throws(FeatureError) {
        func refused(_ reason: String) -> FeatureError {
            FeatureError(.notEncodable, place: place, reason: "\(reason) cannot be written as JSON")
        }
        if let value = value as? JSONValue {
            guard value.fits(in: Self.maxDepth) else {
                throw refused("a value that is nested deeper than \(Self.maxDepth) levels")
            }
            guard value.isFinite else { throw refused("a number that is not finite") }
            self = value
            return
        }
        do {
            self = try JSONReader.read(Array(JSONEncoder().encode(value)), maximumDepth: Self.maxDepth).value
        } catch {
            throw refused("a value of type \(type(of: value))")
        }
    }

    private func fits(in levels: Int) -> Bool {
        switch self {
        case .array(let elements): levels > 0 && elements.allSatisfy { $0.fits(in: levels - 1) }
        case .object(let object): levels > 0 && object.members.allSatisfy { $0.value.fits(in: levels - 1) }
        default: true
        }
    }
}
