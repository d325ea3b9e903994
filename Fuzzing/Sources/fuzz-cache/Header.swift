/// The lines of a cache file between its first one and the document, read without the cache's own reader.
struct Header {
    private var fields: [String: String] = [:]

    /// What follows the empty line.
    private(set) var body: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        body = bytes
        while let end = body.firstIndex(of: UInt8(ascii: "\n")) {
            let line = body[..<end]
            body = body[(end + 1)...]
            if line.isEmpty { return }
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return }
            let name = String(decoding: line[..<space], as: UTF8.self)
            fields[name] = String(decoding: line[(space + 1)...], as: UTF8.self)
        }
    }

    subscript(name: String) -> String? { fields[name] }
}
