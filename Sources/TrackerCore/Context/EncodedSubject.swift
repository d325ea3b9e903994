/// A subject as it stands within a row: `,"uid":"…","ip":"…"`; written once for all events of a context or a tracker.
struct EncodedSubject: Sendable {
    let subject: EventSubject
    /// The fields that have a parameter or an entity.
    let fields: EventSubject.Fields
    let decided: EventSubject.Fields
    /// Values that are too long or out of bounds, by field.
    let truncated: [(field: EventSubject.Fields, parameter: AtomicField)]

    private let bytes: [UInt8]
    private let pieces: [(field: EventSubject.Fields, range: Range<Int>)]

    init(_ subject: EventSubject) {
        self.subject = subject
        fields = subject.fields
        decided = subject.decided
        guard !fields.isEmpty else {
            (truncated, pieces, bytes) = ([], [], [])
            return
        }
        var writer = ByteWriter(capacity: 256)
        var truncated: [(field: EventSubject.Fields, parameter: AtomicField)] = []
        var pieces: [(field: EventSubject.Fields, range: Range<Int>)] = []
        for place in 0..<EventSubject.Fields.all.rawValue.nonzeroBitCount {
            let field = EventSubject.Fields(rawValue: 1 << UInt32(place))
            let start = writer.count
            if let parameter = subject.write(field, to: &writer) { truncated.append((field, parameter)) }
            if writer.count > start { pieces.append((field, start..<writer.count)) }
        }
        self.truncated = truncated
        self.pieces = pieces
        bytes = writer.array
    }

    /// Appends the parameters of chosen fields.
    func write(_ chosen: EventSubject.Fields, to writer: inout ByteWriter) {
        if chosen.isSuperset(of: fields) { return writer.append(bytes) }
        bytes.withUnsafeBytes { bytes in
            for piece in pieces where chosen.contains(piece.field) {
                writer.append(UnsafeRawBufferPointer(rebasing: bytes[piece.range]))
            }
        }
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
