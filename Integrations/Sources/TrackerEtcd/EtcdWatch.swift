import FoundationEssentials
import TrackerConfig

/// Reads the lines of a watch as they come.
struct EtcdWatch: Sendable {
    private let start: Int64?
    private let maxDocumentSize: Int
    private let maxLineSize: Int
    private var line: [UInt8] = []

    /// Whether etcd has confirmed the watch.
    private(set) var isOpen = false
    /// The revision up to which etcd has said what changed.
    private(set) var revision: Int64 = 0
    /// The revision of the last change; nil if there was none.
    private(set) var lastChange: Int64?
    /// Whether the next watch must not begin at a revision that is known.
    private(set) var isObsolete = false
    /// Why nothing more is read.
    private(set) var failure: FetchError?

    /// Creates a reader.
    /// - Parameters:
    ///   - start: The revision that the watch begins at; nil if it begins with what comes next.
    ///   - maxDocumentSize: The largest document in bytes.
    init(start: Int64?, maxDocumentSize: Int) {
        self.start = start
        self.maxDocumentSize = maxDocumentSize
        // A line may have several documents in base64, of which only the last one matters.
        maxLineSize = maxDocumentSize * 4 + 65_536
    }

    /// Reads a piece, which may begin and end anywhere.
    /// - Parameter bytes: The piece.
    /// - Returns: The signals of the lines that end in it.
    mutating func read(_ bytes: [UInt8]) -> [SourceSignal] {
        var signals: [SourceSignal] = []
        var rest = bytes[...]
        while failure == nil, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            rest = rest[(end + 1)...]
            if failure == nil, !line.isEmpty { signals += take(line) }
            line = []
        }
        append(rest)
        return signals
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard failure == nil else { return }
        if line.count + bytes.count <= maxLineSize {
            line += bytes
        } else {
            line = []
            isObsolete = true
            failure = FetchError(.tooLarge, reason: "etcd sent a message larger than \(maxLineSize) bytes")
        }
    }

    private mutating func take(_ line: [UInt8]) -> [SourceSignal] {
        guard let line = try? JSONDecoder().decode(EtcdWatchLine.self, from: Data(line)) else {
            failure = FetchError(.transport, reason: "the watch received a message that is not etcd's")
            return []
        }
        if let error = line.error {
            let code = error.http_code ?? 0
            let reason = "the watch of etcd ended: \(error.message ?? "no reason was given")"
            failure =
                400..<500 ~= code
                ? FetchError(.status, reason: reason, status: code) : FetchError(.transport, reason: reason)
        }
        return line.result.map { take($0) } ?? []
    }

    private mutating func take(_ result: EtcdWatchLine.Result) -> [SourceSignal] {
        let current = result.header?.revision?.value ?? 0
        if result.canceled == true {
            end(result)
            return []
        }
        if let start, current < start - 1 {
            // Of a cluster that was restored. What it writes now has revisions that this watch would not hear of.
            isObsolete = true
            failure = FetchError(.transport, reason: "etcd is at revision \(current), which is before \(start - 1)")
            return []
        }
        revision = max(revision, current)
        if result.created == true {
            isOpen = true
            return [.connected]
        }
        // Only the last one is in effect.
        guard let event = result.events?.last else { return [] }
        if let change = event.kv?.mod_revision?.value { lastChange = change }
        let document = event.type == "DELETE" ? nil : event.kv.flatMap { FetchedDocument($0) }
        guard let document, document.bytes.count <= maxDocumentSize else { return [.changed()] }
        return [.document(document)]
    }

    private mutating func end(_ result: EtcdWatchLine.Result) {
        if let compacted = result.compact_revision?.value, compacted > 0 {
            isObsolete = true
            failure = FetchError(
                .transport, reason: "etcd has removed the revisions before \(compacted), where the watch had to begin")
            return
        }
        let reason = result.cancel_reason ?? "no reason was given"
        let text = "etcd cancelled the watch: \(reason)"
        // etcd puts these into text only.
        let status = reason.contains("permission denied") ? 403 : reason.contains("auth token") ? 401 : nil
        failure = FetchError(status == nil ? .transport : .status, reason: text, status: status)
    }
}
