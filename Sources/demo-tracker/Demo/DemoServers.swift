import TrackerCore
import TrackerLoopbackServer

/// The web server with the document, and the two collectors.
struct DemoServers {
    let north: DemoCollector
    let south: DemoCollector

    /// The file of the document.
    let path: String

    private let web: LoopbackServer
    private let published = Locked<[UInt8]>([])
    /// Whether a client follows the document's stream, and whether it has since fetched the document and got 304.
    private let visits = Locked((isFollowed: false, isCurrent: false))

    /// Starts the servers.
    /// - Parameters:
    ///   - directory: The directory of the document, which is created.
    ///   - north: The collector north; nil, the default, for one that keeps its events.
    /// - Throws: If the directory cannot be created, or no port is free.
    init(_ directory: String, north: DemoCollector? = nil) throws {
        try StandardDirectory.create(directory)
        path = "\(directory)/shop.json"
        self.north = try north ?? DemoCollector()
        south = try DemoCollector()
        let files = FileServer(directory: directory)
        web = try LoopbackServer { [visits] request in
            let reply = files.reply(to: request)
            visits.withLock { visits in
                switch reply {
                case .stream: visits.isFollowed = true
                case .response(status: 304, _, _, _): visits.isCurrent = visits.isFollowed
                default: break
                }
            }
            return reply
        }
    }

    /// The document's URL.
    var documentURL: String { "\(web.url)/shop.json" }

    /// Whether a client that has the document follows its stream, so that it learns of changes from the stream only.
    var isFollowed: Bool { visits.withLock { $0.isCurrent } }

    /// Replaces the document on the web server. The names of collectors stand for their URLs.
    /// - Parameters:
    ///   - version: The version.
    ///   - bundles: The bundles, which configure one tracker each.
    ///   - members: Further members of the document.
    /// - Throws: If the file cannot be replaced.
    func publish(_ version: Int, _ bundles: [String], _ members: [String]) throws(FileError) {
        let bundles = bundles.joined(separator: ",\n    ")
            .replacing(#""endpoint": north"#, with: #""endpoint": "\#(north.server.url)""#)
            .replacing(#""endpoint": south"#, with: #""endpoint": "\#(south.server.url)""#)
        let text = """
            {
              "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
              "configurationVersion": \(version),
              "configurationBundle": [
                \(bundles)
              ]\(members.map { ",\n  \($0)" }.joined())
            }
            """
        try AtomicFile.replace(path, with: Array(text.utf8), under: nil)
        published.exchange(Array(text.utf8))
    }

    /// Whether the file is no longer the document that was published last.
    func hasOtherDocument() throws(FileError) -> Bool {
        let found = try [UInt8](contentsOfFile: path)
        return found != nil && found != published.withLock { $0 }
    }

    /// Closes all ports.
    func stop() {
        for server in [web, north.server, south.server] { server.stop() }
    }
}
