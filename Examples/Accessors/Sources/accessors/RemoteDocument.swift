/// What a remote document says: only what differs from the file that the accessors are generated of.
enum RemoteDocument {
    private static let schema =
        "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"

    static let first = document(1, #""checkout": {"variables": {"retryLimit": {"value": 5}}}"#)

    static let second = document(
        2,
        """
        "checkout": {"variables": {
          "retryLimit": {"value": 5}, "countries": {"value": ["US", "IL", "DE"]},
          "surcharges": {"value": {"express": 6.5}}}},
        "search": {"enabled": false, "variables": {"page-size": {"value": 50}}}
        """)

    private static func document(_ version: Int, _ features: String) -> String {
        """
        {"$schema": "\(schema)", "configurationVersion": \(version), "configurationBundle": [],
         "features": {\(features)}}
        """
    }
}
