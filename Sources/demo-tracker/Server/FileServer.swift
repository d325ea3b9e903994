import Glibc
import TrackerLoopbackServer
import TrackerCore

/// Serves the regular files of a directory, as a web server or a CDN would.
///
/// A file is read anew for every request, so an edit shows at once. What lies outside the directory is not served, whether
/// named by `..` or by a symbolic link; a link to another place inside is followed.
///
/// With streams, `GET /trackers.json?stream` answers with server-sent events, one for each change of the file.
struct FileServer: Sendable {
    private let directory: String
    private let streams: Places?

    /// Serves what is in `directory`, which need not exist yet. With `streams`, at most 32 clients follow files at a time.
    init(directory: String, streams: Bool = false) {
        self.directory = directory
        self.streams = streams ? Places() : nil
    }

    /// Answers GET and HEAD of a file, with 304 where the client has it already, and GET and HEAD of its stream.
    func reply(to request: ServerRequest) -> ServerReply {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .response(status: 405, headers: [("Allow", "GET, HEAD")])
        }
        guard let file = ServedFile(path: request.path, in: directory) else {
            return .response(status: 404)
        }
        if let streams, request.query.contains(where: { $0 == ("stream", "") }) {
            return stream(of: file, for: request, streams)
        }
        let headers = [("ETag", file.entityTag), ("Last-Modified", Self.httpDate(file.seconds))]
        if isUnchanged(file, for: request) {
            return .response(status: 304, headers: headers)
        }
        let type = request.path.hasSuffix(".json") ? "application/json" : "application/octet-stream"
        return .response(status: 200, headers: [("Content-Type", type)] + headers, body: file.content)
    }

    private func stream(of file: ServedFile, for request: ServerRequest, _ streams: Places) -> ServerReply {
        guard let place = streams.take() else {
            return .response(status: 503, headers: [("Retry-After", "10")], closes: true)
        }
        let events = FileEvents(
            path: request.path, directory: directory, seen: request.header("Last-Event-ID") ?? file.entityTag)
        return .stream(status: 200, headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]) {
            events.write(to: $0)
            withExtendedLifetime(place) {}
        }
    }

    /// Whether the client's copy is this one (RFC 9110, 13.2.2): its date counts only where it names no tag.
    private func isUnchanged(_ file: ServedFile, for request: ServerRequest) -> Bool {
        if let tags = request.header("If-None-Match") {
            return EntityTagList(tags).matches(file.entityTag)
        }
        guard let date = request.header("If-Modified-Since").flatMap(HTTPDate.init) else { return false }
        return file.seconds <= date.seconds
    }

    /// A date as HTTP writes it (RFC 9110, section 5.6.7); in English, because the process has the locale "C".
    private static func httpDate(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress else { return "" }
            strftime(start, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: start)
        }
    }
}
