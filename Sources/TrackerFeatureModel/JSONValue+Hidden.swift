extension JSONValue {
    /// The substitute for a secret in reports.
    package static let hidden: JSONValue = "…"
}
