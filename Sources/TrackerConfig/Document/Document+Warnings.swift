extension Document {
    /// What is odd about a document, also about a faulty one: then as far as reading came.
    /// - Parameters:
    ///   - text: UTF-8 JSON.
    ///   - purpose: For whom it is read.
    /// - Returns: The warnings, in the order of reading.
    package static func warnings(of text: [UInt8], purpose: Purpose = .remote) -> [ConfigurationWarning] {
        // Errors, here and below, are reported by the code that reads the document to use it.
        guard let node = try? JSONReader.read(text) else { return [] }
        var reader = DocumentReader(text: text, purpose: purpose)
        _ = try? reader.read(node)
        return reader.decoder.warnings
    }
}
