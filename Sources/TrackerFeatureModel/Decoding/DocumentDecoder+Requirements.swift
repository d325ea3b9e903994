extension DocumentDecoder {
    /// The abilities that documents may require and this version of the SDK has.
    private static let abilities = ["rules", "schedules", "disabled"]

    /// Refuses a document that an SDK with other abilities has to read. To be called before other keys are judged, which
    /// may have another form then.
    /// - Parameter members: The document's members.
    /// - Throws: A ``ConfigurationError`` if an ability is missing, or if `requires` is no list of texts.
    package func checkRequirements(_ members: [JSONNode.Member]) throws(ConfigurationError) {
        guard let node = members["requires"], !node.isNull else { return }
        for (index, ability) in try texts(node, "requires").enumerated() where !Self.abilities.contains(ability) {
            throw fault(
                .unmetRequirement, "requires[\(index)]",
                "the document requires \(ability.excerpt), which this version of the SDK does not have", node)
        }
    }
}
