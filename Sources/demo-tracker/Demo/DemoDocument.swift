/// A version of the demonstration's document, in which the names of collectors stand for their URLs.
struct DemoDocument {
    /// The version.
    let version: Int

    /// The bundles, each on a line: what configures one tracker.
    let bundles: [String]

    /// Further members of the document, each on a line.
    let members: [String]

    init(_ version: Int, _ bundles: [String], _ members: [String] = []) {
        (self.version, self.bundles, self.members) = (version, bundles, members)
    }

    /// The bundle of a namespace.
    /// - Parameters:
    ///   - namespace: The namespace.
    ///   - collector: The name of a collector, or what stands in place of a URL; nil for no network configuration.
    ///   - subject: The settings of the subject, without braces; none by default.
    /// - Returns: The JSON text.
    static func bundle(_ namespace: String, to collector: String?, subject: String? = nil) -> String {
        let network = collector.map { #", "networkConfiguration": {"endpoint": \#($0)}"# }
        let subject = subject.map { #", "subjectConfiguration": {\#($0)}"# }
        return #"{"namespace": "\#(namespace)"\#(network ?? "")\#(subject ?? "")}"#
    }

    /// The JSON text.
    func text(on servers: DemoServers) -> String {
        let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
        let lines = bundles.map { bundle in
            [servers.north, servers.south].reduce(bundle) { text, collector in
                text.replacing(#""endpoint": \#(collector.name)"#, with: #""endpoint": "\#(collector.url)""#)
            }
        }
        return """
            {
              "$schema": "\(schema)",
              "configurationVersion": \(version),
              "configurationBundle": [
                \(lines.joined(separator: ",\n    "))
              ]\(members.map { ",\n  \($0)" }.joined())
            }
            """
    }
}
