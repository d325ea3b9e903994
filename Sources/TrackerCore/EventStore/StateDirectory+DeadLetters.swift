import Glibc

/// How a tool asks a running process, whose file only the process itself can write, to resend dead letters: by a file beside
/// the store, which the process takes within 30 s.
extension StateDirectory {
    private static let maxRequestBytes = 64 << 10

    private static func requestPrefix(_ slot: Int) -> String { "events-\(slot).resend-" }

    /// Asks the process of a slot to put dead letters back into its queue.
    /// - Throws: A ``FileError`` if the file cannot be written.
    static func requestResend(_ filter: DeadLetter.Filter, of slot: Int, in directory: String) throws(FileError) {
        let members: [(String, String?)] = [("namespace", filter.namespace), ("reason", filter.reason?.rawValue)]
        let request = JSONObject(present: members.map { ($0.0, $0.1.map(JSONValue.string)) })
        let name = requestPrefix(slot) + String(UInt64.random(in: 0...UInt64.max), radix: 16)
        try AtomicFile.replace("\(directory)/\(name)", with: Array("\(JSONValue.object(request))".utf8), under: nil)
    }

    /// Takes the requests of a slot, under its lock: they are gone then.
    func takeResendRequests(_ slot: Int) -> [DeadLetter.Filter] {
        // If the directory cannot be read, there are no requests now. It was reported when the slots were looked for, and
        // the requests are looked for again.
        let names = ((try? Self.names(in: path)) ?? []).filter { name in
            name.hasPrefix(Self.requestPrefix(slot)) && !name.hasSuffix(".tmp")
        }
        return names.sorted().compactMap { name in
            let path = "\(path)/\(name)"
            defer { unlink(path) }
            // The command writes each request whole. A file that cannot be read or is no request asks for nothing, and
            // the letters stay.
            guard let bytes = try? [UInt8](contentsOfFile: path, atMost: Self.maxRequestBytes),
                let request = try? JSONReader.read(bytes).value
            else { return nil }
            let reason = request["reason"]?.string
            let known = reason.flatMap(DropReason.init(rawValue:))
            guard known != nil || reason == nil else { return nil }
            return DeadLetter.Filter(namespace: request["namespace"]?.string, reason: known)
        }
    }
}
