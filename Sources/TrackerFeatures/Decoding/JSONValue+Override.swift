extension JSONValue {
    // Readers accept 128 levels, and a file of overrides needs some around the value.
    private static let maxOverrideDepth = 120

    /// Encodes the value of an override as JSON.
    /// - Throws: If it has a number that is not finite, is nested too deeply, or throws while it is encoded.
    package init(override value: some Encodable, at place: String) throws(FeatureError) {
        do throws(JSONEncodingError) {
            try self.init(encoding: value, maxDepth: Self.maxOverrideDepth)
        } catch {
            throw FeatureError(
                .notEncodable, place: place, reason: "\(error.subject) cannot be written as JSON", cause: error.cause)
        }
    }
}
