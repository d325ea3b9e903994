/// The links of a response (RFC 8288).
struct LinkHeader {
    private var rest: ArraySlice<UInt8>

    /// Returns the targets of the links with a relation, in order.
    /// - Parameters:
    ///   - relation: The relation, in lower case.
    ///   - headers: The headers of a response, of which several may be links, and each may have several.
    /// - Returns: The references, as they are written. Links of another context than the response are left out.
    static func targets(_ relation: String, in headers: [HTTPHeader]) -> [String] {
        headers.filter { $0.name.lowercased() == "link" }.flatMap { header in
            var parser = LinkHeader(rest: Array(header.value.utf8)[...])
            return parser.targets(relation)
        }
    }

    private mutating func targets(_ relation: String) -> [String] {
        var targets: [String] = []
        while take(through: "<") != nil {
            guard let target = take(through: ">") else { break }
            let parameters = parameters()
            // The first counts, and may name several.
            let relations = parameters.first { $0.name == "rel" }?.value.lowercased().split(separator: " ") ?? []
            if relations.contains(relation[...]), !parameters.contains(where: { $0.name == "anchor" }) {
                targets.append(target.trimmed)
            }
        }
        return targets
    }

    /// Reads the parameters of a link, and the comma after them.
    private mutating func parameters() -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while true {
            skipSpace()
            guard take(";") else { break }
            skipSpace()
            let name = token().lowercased()
            skipSpace()
            guard take("=") else { continue }
            skipSpace()
            parameters.append((name, take("\"") ? quoted() : token()))
        }
        _ = take(through: ",")
        return parameters
    }

    private mutating func token() -> String {
        let token = rest.prefix { !" \t;,=".utf8.contains($0) }
        rest = rest[token.endIndex...]
        return String(decoding: token, as: UTF8.self)
    }

    /// Reads a text in quotation marks, of which the first is read.
    private mutating func quoted() -> String {
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                text.append(escaped)
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// Returns what stands before a mark, and goes behind it; nil if there is none, and then to the end.
    private mutating func take(through mark: Unicode.Scalar) -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: mark)) else {
            rest = []
            return nil
        }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
