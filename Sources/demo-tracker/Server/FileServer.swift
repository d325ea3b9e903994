import TrackerCore
import TrackerLoopbackServer

/// Serves the regular files of a directory like a web server or a CDN.
///
/// A file is read for every request, so an edit shows at once. Files outside the directory are not served, whether
/// named by `..` or by a symbolic link; links to other places inside are followed.
///
/// `GET /trackers.json?stream` is answered with server-sent events, one for each change of the file.
struct FileServer: Sendable {
    private let directory: String

    /// Creates a server for `directory`, which need not exist yet.
    init(directory: String) {
        self.directory = directory
    }

    /// Answers GET and HEAD of a file, with 304 if the client has its content already, and GET and HEAD of its stream.
    func reply(to request: ServerRequest) -> ServerReply {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .response(status: 405, headers: [("Allow", "GET, HEAD")])
        }
        guard let file = ServedFile(path: request.path, in: directory) else {
            return .response(status: 404)
        }
        if request.query.contains(where: { $0 == ("stream", "") }) { return stream(of: file, for: request) }
        let headers = [("ETag", file.entityTag)]
        if let tags = request.header("If-None-Match"), tags.contains(file.entityTag) || tags.trimmed == "*" {
            return .response(status: 304, headers: headers)
        }
        let type = request.path.hasSuffix(".json") ? "application/json" : "application/octet-stream"
        return .response(status: 200, headers: [("Content-Type", type)] + headers, body: file.content)
    }

    private func stream(of file: ServedFile, for request: ServerRequest) -> ServerReply {
        let events = FileEvents(
            path: request.path, directory: directory, seen: request.header("Last-Event-ID") ?? file.entityTag)
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        return .stream(status: 200, headers: headers) { events.write(to: $0) }
    }
}
