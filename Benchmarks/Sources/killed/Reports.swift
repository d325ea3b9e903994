import Foundation

/// What one child said before it died.
struct Reports: Sendable {
    /// An event with the time at which its call began, in nanoseconds.
    struct Event: Sendable {
        let id: String
        let time: UInt64
    }

    var committed: [Event] = []
    var plain: [Event] = []
    var killTime: UInt64 = 0

    /// Reads all whole lines.
    init(_ bytes: Data) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: true)
        if bytes.last != 0x0A, !lines.isEmpty { lines.removeLast() }
        for line in lines {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 3, let time = UInt64(words[2]) else { continue }
            let event = Event(id: String(words[1]), time: time)
            if words[0] == "C" { committed.append(event) } else { plain.append(event) }
        }
    }
}
