/// A part of a document that does not reject the document if it is wrong: it makes a rule or an experiment unusable,
/// or it is metadata, which is left out.
enum FailClosedPart {
    /// The place of the part that holds a value: a key of a rule, of an experiment or of a variant, or metadata.
    /// - Parameter place: The path of keys to the value.
    /// - Returns: nil if a fault of the value rejects the document.
    static func place(containing place: String) -> String? {
        // Read by the decoder key by key, so that one of its warnings speaks for all within the key.
        let rule = /^features\..+?\.rules\[\d+\](?:\.[^.\[]+)?/
        let variant = /^experiments\[\d+\]\.variants\[\d+\]\.(?!(?:name|weight|values)(?:[.\[]|$))[^.\[]+/
        let experiment = /^experiments\[\d+\]\.(?!(?:id|variants)(?:[.\[]|$))[^.\[]+/
        let metadata = /^features\.(?:(?!\.variables\.).)+?\.metadata(?=[.\[]|$)/
        if let match = place.firstMatch(of: metadata) { return String(match.output) }
        return [place.firstMatch(of: rule), place.firstMatch(of: variant), place.firstMatch(of: experiment)]
            .compactMap { $0.map { String($0.output) } }.first
    }
}
