/// The check of ``RemoteConfiguration/verify`` for fetched and cached documents.
struct Verification: Sendable {
    private let verify: (@Sendable (_ bytes: [UInt8], _ headers: [HTTPHeader]) throws -> Void)?

    init(_ remote: RemoteConfiguration) {
        verify = remote.verify
    }

    /// Whether anything is checked.
    var isWanted: Bool { verify != nil }

    /// Checks a document.
    /// - Parameters:
    ///   - bytes: The document as the server sent it, decompressed.
    ///   - headers: The headers of the response.
    /// - Throws: A ``ConfigurationError`` if the closure throws.
    func check(_ bytes: [UInt8], _ headers: [HTTPHeader]) throws(ConfigurationError) {
        do {
            try verify?(bytes, headers)
        } catch {
            throw ConfigurationError(
                .unverified, place: "", reason: "the verification failed: \(error)", cause: error)
        }
    }
}
