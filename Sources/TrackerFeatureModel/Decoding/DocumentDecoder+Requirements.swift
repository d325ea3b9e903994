extension DocumentDecoder {
    /// The capabilities that documents may require and this version of the SDK has.
    private static let abilities = ["rules", "schedules", "disabled"]

    /// Rejects a document that requires other capabilities. Call it before other keys are checked, because they may
    /// then have another form.
    /// - Parameter members: The document's members.
    /// - Throws: A ``ConfigurationError`` if a capability is missing, or if `requires` is not a list of texts.
    package func checkRequirements(_ members: [JSONNode.Member]) throws(ConfigurationError) {
        guard let node = members["requires"], !node.isNull else { return }
        for (index, ability) in try texts(node).enumerated() where !Self.abilities.contains(ability) {
            throw fault(
                .unmetRequirement,
                "the document requires \(ability.excerpt), which this version of the SDK does not have", node,
                at: "[\(index)]")
        }
    }
}
