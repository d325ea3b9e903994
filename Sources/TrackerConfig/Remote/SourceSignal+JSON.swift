import FoundationEssentials

extension SourceSignal {
    private static let longestText = 1024
    private static let longestSpread = 86_400

    /// Creates ``changed(version:entityTag:published:)`` from the message of a publisher.
    ///
    /// ```json
    /// {"version": 9, "etag": "\"x\"", "spread": 30, "subscribers": 900,
    ///  "publishedAt": "2026-11-26T12:00:00.123Z", "rollout": {"percent": 10, "seed": "s"}}
    /// ```
    ///
    /// All members are optional, null is none, and unknown ones are ignored. A message that is not an object, such as an empty one,
    /// says that the document has changed, and no more. A member of a wrong type or outside its bounds is left out, and ``failure``
    /// says which; a `spread` outside them becomes the nearer one.
    /// - Parameter message: JSON in UTF-8. `version` and `subscribers` are 0…9,007,199,254,740,991, `spread` is in seconds, `publishedAt` as
    ///   RFC 3339 has it, `percent` 0…100; `etag` and `seed` have up to 1,024 bytes.
    public init(json message: [UInt8]) {
        self = .changed()
        // A message for people, or none.
        guard message.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else { return }
        do throws(ConfigurationError) {
            for member in try DocumentDecoder(text: message).object(DocumentDecoder.parse(message), "")
            where !member.isNull {
                read(member, message)
            }
        } catch {
            fail(error)
        }
    }

    private mutating func read(_ member: JSONNode.Member, _ message: [UInt8]) {
        let decoder = DocumentDecoder(text: message)
        do throws(ConfigurationError) {
            switch member.name {
            case "version": version = try decoder.version(member.value, "version")
            case "etag": entityTag = try decoder.text(member.value, "etag", atMost: Self.longestText)
            case "spread":
                let seconds = try decoder.number(member.value, "spread")
                spread = .seconds(min(max(seconds, 0), Double(Self.longestSpread)))
            case "subscribers": subscribers = try decoder.version(member.value, "subscribers")
            case "publishedAt": published = try decoder.moment(member.value, "publishedAt")
            case "rollout":
                for part in try decoder.object(member.value, "rollout") where !part.isNull {
                    switch part.name {
                    case "percent": rolloutPercent = try decoder.percent(part.value, "rollout.percent")
                    case "seed":
                        rolloutSeed = try decoder.text(part.value, "rollout.seed", atMost: Self.longestText)
                    default: break
                    }
                }
            default: break
            }
        } catch {
            fail(error)
        }
    }

    private mutating func fail(_ error: ConfigurationError) {
        failure =
            failure ?? FetchError(.stream, reason: "a message that cannot be read: \(error)", cause: error)
    }
}

extension DocumentDecoder {
    fileprivate func text(
        _ node: JSONNode, _ place: String, atMost most: Int
    ) throws(ConfigurationError) -> String {
        let text = try text(node, place)
        guard text.utf8.count <= most else {
            throw fault(.outOfRange, place, "expected up to \(most) bytes, found \(text.utf8.count)", node)
        }
        return text
    }

    fileprivate func moment(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Date {
        let text = try text(node, place)
        guard let instant = Instant(text) else {
            throw fault(.outOfRange, place, Instant.fault(of: text), node)
        }
        return Date(milliseconds: instant.milliseconds)
    }

    fileprivate func percent(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Double {
        let percent = try number(node, place)
        guard 0...100 ~= percent else { throw fault(.outOfRange, place, "expected 0 to 100, found \(percent)", node) }
        return percent
    }
}
