package import FoundationEssentials

extension JSONValue {
    /// Creates JSON from an encodable value.
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder, which defines the form of dates and data. Members are sorted by name.
    ///   - maxDepth: The maximum nesting depth of lists and objects, at most 256.
    /// - Throws: ``JSONEncodingError`` if the value has a number that is not finite, is nested too deeply, or fails to
    ///   encode.
    package init(
        encoding value: some Encodable, by encoder: JSONEncoder = JSONEncoder(), maxDepth: Int = 128
    ) throws(JSONEncodingError) {
        if let value = value as? JSONValue ?? (value as? JSONObject).map(JSONValue.object) {
            guard value.fits(in: maxDepth) else { throw .tooDeep(maxDepth) }
            guard value.isFinite else { throw .notFinite(at: []) }
            self = value
            return
        }
        do {
            encoder.outputFormatting = .sortedKeys
            self = try JSONReader.read(written: Array(encoder.encode(value)), maximumDepth: maxDepth).value
        } catch let error as JSONError where error.code == .tooDeep {
            throw .tooDeep(maxDepth)
        } catch EncodingError.invalidValue(let found as any BinaryFloatingPoint, let context) where !found.isFinite {
            throw .notFinite(at: context.codingPath)
        } catch {
            throw JSONEncodingError(refusedBy: type(of: value), error)
        }
    }

    private func fits(in levels: Int) -> Bool {
        switch self {
        case .array(let elements): levels > 0 && elements.allSatisfy { $0.fits(in: levels - 1) }
        case .object(let object): levels > 0 && object.members.allSatisfy { $0.value.fits(in: levels - 1) }
        default: true
        }
    }
}
