import Foundation
import Workload

/// A document that setups listen to, and what publishes it.
final class Channel {
    enum Kind: String, CaseIterable {
        /// A file that is replaced.
        case file
        /// A file of nginx, and nchan's stream of server-sent events.
        case http
    }

    let kind: Kind
    let directory: String
    /// The document's URL, and that of its stream if it has one of its own.
    let (url, stream): (String, String?)
    private let nginx: Nginx?

    /// Creates a channel.
    /// - Parameters:
    ///   - kind: The kind.
    ///   - heartbeat: The seconds between two comments of a stream; 0 for none.
    /// - Throws: If nginx cannot be started.
    init(_ kind: Kind, heartbeat: Int = 15) throws {
        self.kind = kind
        directory = try Rig.makeDirectory()
        nginx = kind == .http ? try Nginx(in: directory, heartbeat: heartbeat) : nil
        url = nginx.map { "\($0.url)/document.json" } ?? "file://\(directory)/document.json"
        stream = nginx.map { "\($0.url)/stream" }
    }

    deinit {
        nginx?.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    func publish(_ version: Int) throws {
        let path = "\(directory)/document.json"
        try Self.document(version).write(to: URL(fileURLWithPath: path + ".new"))
        guard rename(path + ".new", path) == 0 else { throw BenchmarkError("the document cannot be published") }
        try nginx?.post(#"{"version":\#(version)}"#, to: "/publish")
    }

    /// A document of one feature and no tracker. nginx's tags are of the second and the size, which differs from version to version.
    static func document(_ version: Int) -> Data {
        let text = """
            {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":\(version),"configurationBundle":[],
            "features":{"checkout":{"enabled":true,"variables":{"limit":{"value":\(version)},\
            "banner":{"value":"\(String(repeating: "x", count: 900 + version))"}}}}}
            """
        return Data(text.utf8)
    }
}
