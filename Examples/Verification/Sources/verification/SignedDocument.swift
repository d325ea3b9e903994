import Foundation
import TrackerConfig
import TrackerFeatures

/// A web server in a few lines: one document with its signature.
struct SignedDocument: ConfigurationSource {
    static let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"

    var bytes: [UInt8]
    var signature: Data?

    init(version: Int, sign: ([UInt8]) throws -> Data) rethrows {
        bytes = Array(
            """
            {"$schema": "\(Self.schema)", "configurationVersion": \(version), "configurationBundle": [
              {"namespace": "checkout", "networkConfiguration": {"endpoint": "https://collector.example.com"}}]}
            """.utf8)
        signature = try sign(bytes)
    }

    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let headers = signature.map { [HTTPHeader(name: "X-Signature", value: $0.base64EncodedString())] } ?? []
        return FetchedDocument(bytes, headers: headers)
    }
}
