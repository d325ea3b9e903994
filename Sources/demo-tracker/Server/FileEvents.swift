import Foundation
import TrackerCore
import TrackerJSON
import TrackerLoopbackServer

/// The changes of a served file as server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// ```
/// event: changed
/// id: "08f44b07b5901a25"
/// data: {"version":9,"etag":"\"08f44b07b5901a25\"","publishedAt":"2026-11-26T12:00:00.123Z"}
/// ```
struct FileEvents {
    private static let interval = Duration.milliseconds(50)

    /// After how many intervals without an event a comment shows that the connection is there: 15 s.
    private static let quietIntervals = 300

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
        var quiet = 0
        guard writer.write(Array("retry: 1000\n\n".utf8)) else { return }
        while writer.staysOpen(for: Self.interval) {
            quiet += 1
            let stamp = FileStamp(directory + path, followsLinks: true)
            // A file that is written in place is read when it has come to rest, and not half written.
            if stamp == last, stamp != read {
                read = stamp
                if let file = ServedFile(path: path, in: directory), file.entityTag != seen {
                    seen = file.entityTag
                    quiet = 0
                    guard writer.write(Self.event(file)) else { return }
                }
            }
            last = stamp
            if quiet == Self.quietIntervals {
                quiet = 0
                guard writer.write(Array(":\n\n".utf8)) else { return }
            }
        }
    }

    private static func event(_ file: ServedFile) -> [UInt8] {
        // A file that is not a document has no version, and is served like any other.
        let document = try? JSONDecoder().decode(JSONValue.self, from: Data(file.content))
        let facts = JSONObject(present: [
            ("version", document?["configurationVersion"]),
            ("etag", .string(file.entityTag)),
            ("publishedAt", Timestamp.iso8601(Date(milliseconds: file.modified)).map(JSONValue.string)),
        ])
        var writer = ByteWriter(capacity: 256)
        writer.append(raw: "event: changed\nid: \(file.entityTag)\ndata: ")
        writer.append(json: facts)
        writer.append("\n\n")
        return Array(writer.bytes)
    }
}
