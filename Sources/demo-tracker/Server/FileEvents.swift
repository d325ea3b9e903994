import TrackerCore
import TrackerLoopbackServer

/// The changes of a served file as server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// ```
/// event: changed
/// id: "08f44b07b5901a25"
/// data: {"version":9}
/// ```
struct FileEvents {
    private static let interval = Duration.milliseconds(50)

    /// The number of intervals between two comments, which keep the connection alive: 15 s.
    private static let intervalsOfComments = 300

    /// The path of the file relative to the directory.
    let path: String

    /// The served directory.
    let directory: String

    /// The entity tag of the content that the client has.
    let seen: String

    /// Writes an event whenever the content has changed, until the client disconnects.
    func write(to writer: ReplyWriter) {
        var seen = seen
        var read: FileStamp?
        var last: FileStamp?
        var intervals = 0
        guard writer.write(Array("retry: 1000\n\n".utf8)) else { return }
        while writer.staysOpen(for: Self.interval) {
            intervals += 1
            let stamp = FileStamp(directory + path, followsLinks: true)
            // Read a file only after it has stopped changing, so that a partly written file is not read.
            if stamp == last, stamp != read {
                read = stamp
                if let file = ServedFile(path: path, in: directory), file.entityTag != seen {
                    seen = file.entityTag
                    guard writer.write(Self.event(file)) else { return }
                }
            }
            last = stamp
            if intervals % Self.intervalsOfComments == 0 {
                guard writer.write(Array(":\n\n".utf8)) else { return }
            }
        }
    }

    private static func event(_ file: ServedFile) -> [UInt8] {
        // A file without a version need not be a document, and is served like any other.
        let version = (try? JSONReader.read(file.content))?.value["configurationVersion"]
        let data = JSONValue.object(JSONObject(present: [("version", version)]))
        return Array("event: changed\nid: \(file.entityTag)\ndata: \(data)\n\n".utf8)
    }
}
