import TrackerLoopbackServer
import TrackerCore

/// Serves the regular files of a directory, as a web server or a CDN would.
///
/// A file is read anew for every request, so an edit shows at once. What lies outside the directory is not served, whether
/// named by `..` or by a symbolic link; a link to another place inside is followed.
struct FileServer: Sendable {
    private let directory: String

    /// Serves what is in `directory`, which need not exist yet.
    init(directory: String) {
        self.directory = directory
    }

    /// Answers GET and HEAD of a file, with 304 where the client has it already.
    func reply(to request: ServerRequest) -> ServerReply {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .response(status: 405, headers: [("Allow", "GET, HEAD")])
        }
        guard let file = ServedFile(path: request.path, in: directory) else {
            return .response(status: 404)
        }
        let validators = [("ETag", file.entityTag), ("Last-Modified", HTTPDate(file.modified).description)]
        if isUnchanged(file, for: request) {
            return .response(status: 304, headers: validators)
        }
        let type = request.path.hasSuffix(".json") ? "application/json" : "application/octet-stream"
        return .response(status: 200, headers: [("Content-Type", type)] + validators, body: file.content)
    }

    /// Whether the client's copy is this one (RFC 9110, 13.2.2): its date counts only where it names no tag.
    private func isUnchanged(_ file: ServedFile, for request: ServerRequest) -> Bool {
        if let tags = request.header("If-None-Match") {
            return EntityTagList(tags).matches(file.entityTag)
        }
        guard let date = request.header("If-Modified-Since").flatMap(HTTPDate.init) else { return false }
        return file.modified <= date.seconds
    }
}
