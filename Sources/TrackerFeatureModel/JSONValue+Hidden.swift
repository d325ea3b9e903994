extension JSONValue {
    /// What reports show in place of a secret.
    package static let hidden: JSONValue = "…"
}
