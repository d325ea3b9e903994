import Synchronization
package import TrackerConfig
import TrackerFeatures

/// A source whose document the test sets.
package final class DocumentSource: ConfigurationSource {
    private let document = Mutex<FetchedDocument?>(nil)

    package init() {}

    /// Serves a document.
    /// - Parameters:
    ///   - version: The document's version.
    ///   - members: More members, as `"features": {}`; none by default.
    ///   - headers: The headers of the answer.
    package func serve(_ version: Int, _ members: String = "", headers: [HTTPHeader] = []) {
        serve(Self.document(version, members), headers: headers)
    }

    /// Serves any bytes.
    package func serve(_ bytes: [UInt8], headers: [HTTPHeader] = []) {
        document.withLock { $0 = FetchedDocument(bytes, headers: headers) }
    }

    /// The text of a document.
    package static func document(_ version: Int, _ members: String = "") -> [UInt8] {
        let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
        let more = members.isEmpty ? "" : ", \(members)"
        return Array(
            """
            {"$schema": "\(schema)", "configurationVersion": \(version), "configurationBundle": [
              {"namespace": "shop", "networkConfiguration": {"endpoint": "http://collector.example.com"}}]\(more)}
            """.utf8)
    }

    package func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        guard let document = document.withLock({ $0 }) else {
            throw FetchError(.status, reason: "the test serves no document", status: 404)
        }
        return document
    }
}
