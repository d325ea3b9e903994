import Foundation
import Harness
import TrackerConfig
import TrackerFeatures

/// A collector that counts the ids of events, and a server that may have a document.
final class Collector: HTTPTransport, @unchecked Sendable {
    private let lock = NSLock()
    private var ids: Set<String> = []
    private var status: Int
    private let document: String?

    init(status: Int, document: String? = nil) {
        (self.status, self.document) = (status, document)
    }

    /// Answers with another status from now on.
    func answer(_ status: Int) { lock.withLock { self.status = status } }

    /// The ids that were sent.
    var sent: Set<String> { lock.withLock { ids } }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        guard request.url.hasPrefix("https://c.example") else {
            return document.map { HTTPTransportResponse(status: 200, body: Array($0.utf8)) }
                ?? HTTPTransportResponse(status: 404)
        }
        let key = #""eid":""#
        let text = String(decoding: request.body ?? [], as: UTF8.self)
        let found = text.components(separatedBy: key).dropFirst().map { String($0.prefix { $0 != "\"" }) }
        return HTTPTransportResponse(
            status: lock.withLock {
                ids.formUnion(found)
                return status
            })
    }
}

/// A service of which each part keeps something in a file.
struct DamagedService {
    static let document = """
        {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
        "configurationVersion":3,
        "configurationBundle":[{"namespace":"a","networkConfiguration":{"endpoint":"https://c.example"}}],
        "features":{"f":{"enabled":true,"variables":{"v":{"value":7}}}},
        "experiments":[{"id":"e","sticky":true,"variants":[{"name":"a","weight":50},{"name":"b","weight":50}]}]}
        """

    let directory: String

    /// Starts, and sends what waits and one event more.
    /// - Returns: The ids that were sent, and that of the new event; nil if the service could not track it.
    func run() -> (sent: Set<String>, new: String?) {
        let collector = Collector(status: 200)
        let directory = directory
        return wait {
            let setup = Self.start(in: directory, collector)
            let tracker = setup.tracker("a")
            await tracker?.flush(timeout: .seconds(2))
            let new = try? await tracker?.trackCommitted(Structured(category: "c", action: "new"))
            await tracker?.flush(timeout: .seconds(2))
            await setup.shutdown(timeout: .seconds(1))
            return (collector.sent, new.map { "\($0)" })
        }
    }

    static func start(in directory: String, _ collector: Collector) -> Setup {
        var options = SetupOptions()
        options.stateDirectory = "\(directory)/state"
        options.cacheDirectory = "\(directory)/cache"
        options.deadLetters = .file()
        options.features.overridesFile = "\(directory)/overrides.json"
        options.transport = collector
        do {
            return try Setup(
                remote: RemoteConfiguration(endpoint: "https://config.example/x"),
                default: Document(Array(document.utf8)), options: options)
        } catch {
            fatalError("broken: a service starts on damaged files: \(error)")
        }
    }
}
