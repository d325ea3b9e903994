import Foundation
import TrackerCore
import TrackerLoopbackServer

/// The web server with the document, and the two collectors.
final class DemoServers: Sendable {
    /// What a client asked of the web server that already has the document.
    enum Visit {
        /// It began to follow the document's stream.
        case followed
        /// It fetched the document and got 304.
        case sawNoChange
    }

    let north: DemoCollector
    let south: DemoCollector

    private let path: String
    private let web: LoopbackServer
    private let visitor: Locked<AsyncStream<Visit>.Continuation?>

    /// Starts the servers.
    /// - Parameters:
    ///   - directory: An existing directory for the document.
    ///   - north: The collector north; nil, the default, for one that works.
    /// - Throws: If the directory cannot be written, or no port can be had.
    init(directory: String, north: DemoCollector? = nil) throws {
        let files = "\(directory)/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        path = "\(files)/shop.json"
        self.north = try north ?? DemoCollector("north")
        south = try DemoCollector("south")
        let server = FileServer(directory: files, streams: true)
        let visitor = Locked<AsyncStream<Visit>.Continuation?>(nil)
        self.visitor = visitor
        web = try LoopbackServer { request in
            let reply = server.reply(to: request)
            switch reply {
            case .stream: visitor.withLock { $0 }?.yield(.followed)
            case .response(status: 304, _, _, _): visitor.withLock { $0 }?.yield(.sawNoChange)
            default: break
            }
            return reply
        }
    }

    /// The document's URL.
    var documentURL: String { "\(web.url)/shop.json" }

    /// The URL of the document's stream.
    var streamURL: String { "\(documentURL)?stream" }

    /// The visits from now on; those of an earlier call end.
    func visits() -> AsyncStream<Visit> {
        let (visits, visitor) = AsyncStream.makeStream(of: Visit.self, bufferingPolicy: .bufferingNewest(100))
        self.visitor.exchange(visitor)?.finish()
        return visits
    }

    /// Replaces the document on the web server.
    func publish(_ document: DemoDocument) throws {
        try document.text(on: self).write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Closes all ports.
    func stop() {
        web.stop()
        north.stop()
        south.stop()
    }
}
