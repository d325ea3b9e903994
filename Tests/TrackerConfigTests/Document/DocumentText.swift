/// Texts of documents, short to write in a test.
enum DocumentText {
    static let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-1-0"

    /// A document on one line.
    static func document(
        _ version: Any = 1, _ bundles: String..., schema: String = schema, more: String = ""
    ) -> String {
        """
        {"$schema":"\(schema)","configurationVersion":\(version),\
        "configurationBundle":[\(bundles.joined(separator: ","))]\(more)}
        """
    }

    /// A bundle with a collector; the sections are written as `"subject":{"userId":"u"}`.
    static func bundle(_ namespace: String = "a", at endpoint: String = "collector.example", _ sections: String...)
        -> String
    {
        self.bundle(namespace, [#""network":{"endpoint":"\#(endpoint)"}"#] + sections)
    }

    /// A bundle without a collector.
    static func bare(_ namespace: String = "a", _ sections: String...) -> String {
        bundle(namespace, sections)
    }

    private static func bundle(_ namespace: String, _ sections: [String]) -> String {
        let members = sections.map { section in
            let name = section.dropFirst().prefix { $0 != "\"" }
            return "\"\(name)Configuration\"" + section.dropFirst(name.count + 2)
        }
        return "{" + ([#""namespace":"\#(namespace)""#] + members).joined(separator: ",") + "}"
    }
}
