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

    /// After how many intervals a comment shows that the connection is there: 15 s.
    private static let intervalsOfComments = 300

    /// The path of the file, below the directory.
    let path: String

    /// The served directory.
    let directory: String

    /// The entity tag of the content that the client has.
    let seen: String

    /// Writes an event for each content other than the one before, until the client goes.
    func write(to writer: ReplyWriter) {
        var seen = seen
        var read: FileStamp?
        var last: FileStamp?
        var intervals = 0
        guard writer.write(Array("retry: 1000\n\n".utf8)) else { return }
        while writer.staysOpen(for: Self.interval) {
            intervals += 1
            let stamp = FileStamp(directory + path, followsLinks: true)
            // A file that is written in place is read when it has come to rest, and not half written.
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
        // A file that is not a document has no version, and is served like any other.
        let version = (try? JSONReader.read(file.content))?.value["configurationVersion"]
        let data = JSONValue.object(JSONObject(present: [("version", version)]))
        return Array("event: changed\nid: \(file.entityTag)\ndata: \(data)\n\n".utf8)
    }
}
