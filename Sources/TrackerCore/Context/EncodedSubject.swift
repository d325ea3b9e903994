/// A subject that many events have, with its parameters written ahead, as they stand within a row: `,"uid":"…","ip":"…"`.
final class EncodedSubject: Sendable {
    let subject: EventSubject
    private let bytes: [UInt8]
    private let pieces: [(field: EventSubject.Fields, range: Range<Int>)]
    /// Values that are too long or out of bounds, by field.
    private let truncated: [(field: EventSubject.Fields, parameter: AtomicField)]

    /// The subject without any field.
    static let empty = EncodedSubject(EventSubject())

    init(_ subject: EventSubject) {
        self.subject = subject
        guard !subject.fields.isEmpty else {
            (bytes, pieces, truncated) = ([], [], [])
            return
        }
        var writer = ByteWriter(capacity: 256)
        var truncated: [(field: EventSubject.Fields, parameter: AtomicField)] = []
        var pieces: [(field: EventSubject.Fields, range: Range<Int>)] = []
        subject.fields.forEach { field in
            let start = writer.count
            if let parameter = subject.write(field, to: &writer) { truncated.append((field, parameter)) }
            if writer.count > start { pieces.append((field, start..<writer.count)) }
        }
        self.truncated = truncated
        self.pieces = pieces
        bytes = writer.array
    }

    /// Appends the parameters of the fields that are left, as ``EventSubject/write(taking:to:truncated:)`` does.
    func write(
        taking rest: inout EventSubject.Fields, to writer: inout ByteWriter, truncated: inout [AtomicField]
    ) {
        for (field, parameter) in self.truncated where rest.contains(field) { truncated.append(parameter) }
        if rest.isSuperset(of: subject.fields) {
            writer.append(bytes)
        } else {
            bytes.withUnsafeBytes { bytes in
                for piece in pieces where rest.contains(piece.field) {
                    writer.append(UnsafeRawBufferPointer(rebasing: bytes[piece.range]))
                }
            }
        }
        rest.subtract(subject.decided)
    }
}

extension EventSubject.Fields {
    /// Calls a closure with each field of the set.
    fileprivate func forEach(_ body: (Self) -> Void) {
        var bits = rawValue
        while bits != 0 {
            body(Self(rawValue: bits & ~(bits - 1)))
            bits &= bits - 1
        }
    }
}

extension EventSubject {
    /// Appends the parameters of the fields that are left, and removes from these what the subject decides.
    /// - Parameters:
    ///   - rest: The fields that are left.
    ///   - writer: Where to.
    ///   - truncated: Gets the parameters whose values were cut or left out.
    func write(taking rest: inout Fields, to writer: inout ByteWriter, truncated: inout [AtomicField]) {
        fields.intersection(rest).forEach { field in
            if let parameter = write(field, to: &writer) { truncated.append(parameter) }
        }
        rest.subtract(decided)
    }

    /// Whether the fields that tell users apart are those of another subject.
    /// - Parameters:
    ///   - other: The other subject.
    ///   - undecided: The fields to look at; those that this subject decides are removed.
    /// - Returns: True if none of the fields is another one.
    func agrees(with other: EventSubject, _ undecided: inout Fields) -> Bool {
        let asked = decided.intersection(undecided)
        undecided.subtract(asked)
        if asked.isEmpty { return true }
        return (!asked.contains(.userID) || userID == other.userID)
            && (!asked.contains(.domainUserID) || domainUserID == other.domainUserID)
            && (!asked.contains(.domainSessionID) || domainSessionID == other.domainSessionID)
    }
}

extension EventSubject {
    /// Appends the parameter of one field, if it has a value.
    /// - Returns: The parameter, if its value is too long and was cut, or out of bounds and was left out.
    func write(_ field: Fields, to writer: inout ByteWriter) -> AtomicField? {
        switch field {
        case .userID: writer.append(",\"uid\":\"", userID, .uid)
        case .domainUserID: writer.append(",\"duid\":\"", domainUserID, .duid)
        case .networkUserID: writer.append(",\"tnuid\":\"", networkUserID, .tnuid)
        case .domainSessionID: writer.append(",\"sid\":\"", domainSessionID, .sid)
        case .domainSessionIndex: writer.append(",\"vid\":\"", domainSessionIndex, 0...Int(Int32.max), .vid)
        case .ipAddress: writer.append(",\"ip\":\"", ipAddress, .ip)
        case .userAgent: writer.append(",\"ua\":\"", userAgent, .ua)
        case .timeZone: writer.append(",\"tz\":\"", timeZone, .tz)
        case .language: writer.append(",\"lang\":\"", language, .lang)
        case .screenResolution: writer.append(",\"res\":\"", screenResolution)
        case .viewport: writer.append(",\"vp\":\"", viewport)
        case .colorDepth: writer.append(",\"cd\":\"", colorDepth, 1...64, .cd)
        case .url: writer.append(",\"url\":\"", url, .url)
        case .referrer: writer.append(",\"refr\":\"", referrer, .refr)
        case .pageTitle: writer.append(",\"page\":\"", pageTitle, .page)
        default: nil
        }
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ prefix: StaticString, _ value: String?, _ field: AtomicField) -> AtomicField? {
        guard let value else { return nil }
        append(prefix)
        let truncated = field.truncated(value)
        var text = truncated ?? value
        text.withUTF8 { append(escaping: UnsafeRawBufferPointer($0)) }
        append(UInt8(ascii: "\""))
        return truncated == nil ? nil : field
    }

    fileprivate mutating func append(
        _ prefix: StaticString, _ value: Int?, _ bounds: ClosedRange<Int>, _ field: AtomicField
    ) -> AtomicField? {
        guard let value else { return nil }
        guard bounds.contains(value) else { return field }
        append(prefix)
        append(decimal: Int64(value))
        append(UInt8(ascii: "\""))
        return nil
    }

    fileprivate mutating func append(_ prefix: StaticString, _ size: PixelSize?) -> AtomicField? {
        guard let size else { return nil }
        append(prefix)
        append(decimal: Int64(size.width))
        append(UInt8(ascii: "x"))
        append(decimal: Int64(size.height))
        append(UInt8(ascii: "\""))
        return nil
    }
}
