package import TrackerJSON

extension FetchedDocument {
    private static let maxStartLength = 40

    /// Describes a response that is not JSON, such as the error page of a proxy.
    /// - Parameter error: The error of reading the bytes.
    /// - Returns: The error with the response's URL; the same error for JSON with a mistake, and for a document that is
    ///   not a response.
    package func fault(_ error: ConfigurationError) -> ConfigurationError {
        guard error.code == .malformed, let url, let reason = reasonOfResponse else { return error }
        return ConfigurationError(.malformed, place: "", reason: "\(url): \(reason)", cause: error)
    }

    private var reasonOfResponse: String? {
        let content = bytes.drop { $0 <= 0x20 }
        guard let first = content.first else { return "the response is empty" }
        // Any other text may be JSON with a mistake, and then its place is more helpful.
        guard first < 0x7F, !"{[\"".utf8.contains(first) else { return nil }
        let isMarkup = first == UInt8(ascii: "<")
        var start = content.prefix { $0 >= 0x20 }
        if isMarkup, let end = start.firstIndex(of: UInt8(ascii: ">")) { start = start[...end] }
        let shown = String(decoding: start.prefix(4 * Self.maxStartLength), as: UTF8.self)
            .oneLine(most: Self.maxStartLength)
        let type = headers.first { $0.name.lowercased() == "content-type" }?.value.prefix { $0 != ";" }
        let shownType = type.map { " (\(String($0).trimmed.oneLine(most: Self.maxStartLength)))" } ?? ""
        let hint = isMarkup ? "; is a proxy in between?" : ""
        return "the response is not JSON, it begins with \"\(shown)\"\(shownType)\(hint)"
    }
}
