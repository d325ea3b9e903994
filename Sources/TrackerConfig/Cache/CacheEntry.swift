public import FoundationEssentials
public import TrackerFeatures

/// A fetched document with its URL, version and validators.
public struct CacheEntry: Sendable, Hashable {
    /// The URL of the document, or ``RemoteConfiguration/cacheKey``.
    public var url: String

    /// The document's version.
    public var version: Int

    /// The document's bytes.
    public var document: [UInt8]

    /// The validators of a conditional request.
    public var validators: DocumentValidators

    /// The time of the fetch; stored in whole milliseconds.
    public var fetchTime: Date

    /// The headers of the response, with which ``RemoteConfiguration/verify`` checks the document again before it is
    /// used; stored only if that closure is set. Files store at most 64 KiB of them.
    public var headers: [HTTPHeader]

    /// Creates an entry.
    /// - Parameters:
    ///   - url: The URL of the document, or ``RemoteConfiguration/cacheKey``.
    ///   - version: The document's version.
    ///   - document: The document's bytes.
    ///   - validators: The validators of a conditional request.
    ///   - fetchTime: The time of the fetch.
    ///   - headers: The headers of the response; none by default.
    public init(
        url: String, version: Int, document: [UInt8], validators: DocumentValidators, fetchTime: Date,
        headers: [HTTPHeader] = []
    ) {
        (self.url, self.version, self.document) = (url, version, document)
        (self.validators, self.fetchTime, self.headers) = (validators, fetchTime, headers)
    }
}

extension CacheEntry {
    private static let magic = "tracker-config-cache 1 "
    private static let maxHeaderBytes = 1 << 16
    /// The maximum number of bytes in a file besides the document.
    static let headRoom = maxHeaderBytes + (1 << 17)

    /// The entry as bytes, in the format of the cache directory: a line with the checksum of the rest, lines with the
    /// document's properties, and the document. Validators and headers with a line break and headers beyond 64 KiB are
    /// left out.
    public var serializedBytes: [UInt8] {
        var rest = "url \(url)\nversion \(version)\nfetched \(fetchTime.milliseconds)\n"
        // A line break would end the line. No server can send one; without the validator the next fetch is
        // unconditional.
        let isLine = { (text: String) in !text.utf8.contains(UInt8(ascii: "\n")) }
        if let tag = validators.entityTag, isLine(tag) { rest += "etag \(tag)\n" }
        if let date = validators.lastModified, isLine(date) { rest += "last-modified \(date)\n" }
        var room = Self.maxHeaderBytes
        for header in headers where isLine(header.name) && isLine(header.value) && !header.name.contains(":") {
            let line = "header \(header.name): \(header.value)\n"
            guard line.utf8.count <= room else { continue }
            room -= line.utf8.count
            rest += line
        }
        let bytes = Array(rest.utf8) + [UInt8(ascii: "\n")] + document
        return Array("\(Self.magic)\(Self.checksum(bytes))\n".utf8) + bytes
    }

    /// Creates an entry from its bytes; nil if they are incomplete or damaged.
    /// - Parameter bytes: The bytes, see ``serializedBytes``.
    public init?(serializedBytes bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let rest = bytes[(end + 1)...]
        guard bytes[..<end].elementsEqual("\(Self.magic)\(Self.checksum(rest))".utf8) else { return nil }
        var fields: [String: String] = [:]
        var headers: [HTTPHeader] = []
        var start = rest.startIndex
        while let lineEnd = rest[start...].firstIndex(of: UInt8(ascii: "\n")), lineEnd > start {
            let line = rest[start..<lineEnd]
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            let name = String(decoding: line[..<space], as: UTF8.self)
            let value = String(decoding: line[(space + 1)...], as: UTF8.self)
            if name == "header" {
                guard let end = value.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
                headers.append(HTTPHeader(name: String(value[..<end]), value: String(value[end...].dropFirst(2))))
            } else {
                fields[name] = value
            }
            start = lineEnd + 1
        }
        // The header may end without its empty line.
        guard start < rest.endIndex, rest[start] == UInt8(ascii: "\n"), let url = fields["url"],
            let version = fields["version"].flatMap({ Int($0) }),
            let fetchTime = fields["fetched"].flatMap({ Int64($0) })
        else { return nil }
        self.init(
            url: url, version: version, document: Array(rest[(start + 1)...]),
            validators: DocumentValidators(entityTag: fields["etag"], lastModified: fields["last-modified"]),
            fetchTime: Date(milliseconds: fetchTime), headers: headers)
    }

    private static func checksum(_ bytes: some Sequence<UInt8>) -> String {
        var hash = StableHash()
        hash.combine(bytes)
        return hash.hex
    }
}
