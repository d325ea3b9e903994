import Foundation

/// What one child said before it died: the ids of events whose call had returned.
struct Reports: Sendable {
    var committed: [String] = []
    var plain: [String] = []

    /// Reads all whole lines.
    init(_ bytes: Data) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: true)
        if bytes.last != 0x0A, !lines.isEmpty { lines.removeLast() }
        for line in lines {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 2 else { continue }
            if words[0] == "C" { committed.append(String(words[1])) } else { plain.append(String(words[1])) }
        }
    }
}
