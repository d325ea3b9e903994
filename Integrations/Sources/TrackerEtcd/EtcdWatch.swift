import FoundationEssentials
import TrackerFeatures

/// Parses the lines of a watch as they arrive.
struct EtcdWatch: Sendable {
    // A longer line contains a document, which a fetch reads.
    private static let longestLine = 4096

    /// Whether etcd has confirmed the watch.
    private(set) var isOpen = false
    /// The revision up to which etcd has reported all changes.
    private(set) var revision: Int64 = 0
    /// The number of lines that report a change of the key.
    private(set) var changes = 0
    /// The reason why no more lines are read.
    private(set) var failure: FetchError?
    private var line: [UInt8] = []

    /// Reads a piece of the stream, which need not begin or end at a line.
    /// - Parameter bytes: The piece.
    /// - Returns: Whether a line in it confirms the watch, or reports a change of the key.
    mutating func read(_ bytes: [UInt8]) -> Bool {
        let (wasOpen, former) = (isOpen, changes)
        for (index, part) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0 { endLine() }
            line += part.prefix(Self.longestLine + 1 - line.count)
        }
        return isOpen != wasOpen || changes != former
    }

    private mutating func endLine() {
        defer { line = [] }
        guard failure == nil, !line.isEmpty else { return }
        revision = max(revision, headerRevision)
        guard line.count <= Self.longestLine else { return changes += 1 }
        guard let line = try? JSONDecoder().decode(EtcdWatchLine.self, from: Data(line)) else {
            failure = FetchError(.transport, reason: "the watch received a message that is not etcd's")
            return
        }
        if let error = line.error {
            fail("the watch of etcd ended: \(error.message ?? "no reason was given")", error.http_code)
        } else if line.result?.canceled == true {
            let reason = line.result?.cancel_reason ?? "no reason was given"
            // etcd reports these errors as text only.
            let status = reason.contains("permission denied") ? 403 : reason.contains("auth token") ? 401 : nil
            fail("etcd cancelled the watch: \(reason)", status)
        } else if line.result?.created == true {
            isOpen = true
        } else if line.result?.events?.isEmpty == false {
            changes += 1
        }
    }

    /// The revision in the header at the beginning of the line; 0 if there is none.
    private var headerRevision: Int64 {
        guard let name = line.firstRange(of: Array(#""revision":""#.utf8)) else { return 0 }
        let digits = line[name.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private mutating func fail(_ reason: String, _ status: Int?) {
        let status = status.flatMap { 400..<500 ~= $0 ? $0 : nil }
        failure = FetchError(status == nil ? .transport : .status, reason: reason, status: status)
    }
}
