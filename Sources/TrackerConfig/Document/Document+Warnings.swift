extension Document {
    /// The warnings of a document; of one with an error, those up to the error.
    /// - Parameters:
    ///   - text: UTF-8 JSON.
    ///   - purpose: The use of the document.
    /// - Returns: The warnings, in the order of reading.
    package static func warnings(of text: [UInt8], purpose: Purpose = .remote) -> [ConfigurationError] {
        // Errors are reported by the caller that uses the document.
        guard let node = try? JSONReader.read(text) else { return [] }
        var reader = DocumentReader(text: text, purpose: purpose)
        _ = try? reader.read(node)
        return reader.decoder.warnings
    }
}
