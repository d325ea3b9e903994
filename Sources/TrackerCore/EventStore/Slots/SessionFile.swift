import TrackerPlatform

/// The sessions of a slot, which outlive its process.
enum SessionFile {
    /// The maximum number of namespaces in a file; the sessions that were active last stay.
    private static let maxCount = 1_000

    /// Reads a file: a checksum, and an object with a session for each namespace.
    /// - Returns: The sessions, and a warning for an operator.
    static func read(_ path: String) -> (records: [ExactText: SessionRecord], warning: String?) {
        do throws(FileError) {
            guard let bytes = try [UInt8](contentsOfFile: path, atMost: 16 << 20) else { return ([:], nil) }
            let checksum = Array(bytes.prefix(16)), text = Array(bytes.dropFirst(17))
            guard checksum == Self.checksum(of: text), let object = try? JSONReader.read(written: text).value.object
            else {
                return ([:], "\(path) is damaged; new sessions begin")
            }
            var records: [ExactText: SessionRecord] = [:]
            for (namespace, value) in object.members { records[ExactText(namespace)] = SessionRecord(value) }
            return (records, nil)
        } catch {
            return ([:], "the sessions cannot be read, and new ones begin: \(error)")
        }
    }

    /// Replaces a file. A power failure may leave the previous one.
    static func write(_ records: [ExactText: SessionRecord], to path: String) throws(FileError) {
        let kept = records.sorted { $0.value.lastActivity > $1.value.lastActivity }.prefix(maxCount)
        let members = kept.map { (name: $0.key.text, value: JSONValue.object($0.value.object)) }
        let text = Array("\(JSONValue.object(JSONObject(members)))".utf8)
        let temporary = "\(path).tmp"
        unlink(temporary)
        try (checksum(of: text) + [UInt8(ascii: "\n")] + text).write(to: temporary, isSynced: false)
        try AtomicFile.move(temporary, to: path)
    }

    private static func checksum(of text: [UInt8]) -> [UInt8] {
        let digits = String(text.withUnsafeBytes { RowChecksum.of($0) }, radix: 16)
        return Array((String(repeating: "0", count: 16 - digits.count) + digits).utf8)
    }
}
