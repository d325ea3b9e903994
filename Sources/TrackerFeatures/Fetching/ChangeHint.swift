/// A hint of a source that its document may have changed; see ``ConfigurationSource/changes()``.
///
/// A hint only causes a fetch; the fetched document decides what is applied.
///
/// ```swift
/// ChangeHint(version: 9, spread: .seconds(30))
/// ```
public struct ChangeHint: Sendable, Hashable {
    /// The document's new version; nil if the source does not know it. Without a version, the setup always fetches.
    public var version: Int?

    /// The longest random wait of each process before it fetches, so that a fleet does not fetch at once: 0 s … 1 day,
    /// clamped. nil for no wait.
    public var spread: Duration?

    /// The error in a part of a message, as a sentence.
    package var fault: String?

    /// Creates a hint.
    /// - Parameters:
    ///   - version: The document's new version; nil, the default, if the source does not know it.
    ///   - spread: The longest random wait before the fetch, 0 s … 1 day, clamped; nil, the default, for none.
    public init(version: Int? = nil, spread: Duration? = nil) {
        (self.version, self.spread) = (version, spread)
    }

    /// Creates the hint of a publisher's message.
    ///
    /// ```json
    /// {"version": 9, "spread": 30}
    /// ```
    ///
    /// Both members are optional, null counts as missing, and other members are ignored. A message that is not an
    /// object, such as an empty one, sets neither. A member with a wrong type or outside its bounds is ignored and
    /// logged by the setup.
    /// - Parameter message: JSON in UTF-8. `version` is 0…9,007,199,254,740,991, `spread` is in seconds.
    public init(json message: [UInt8]) {
        self.init()
        // A text for people, or an empty message.
        guard message.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else { return }
        func read(_ part: () throws(ConfigurationError) -> Void) {
            do throws(ConfigurationError) {
                try part()
            } catch {
                fault = fault ?? "a message that cannot be read: \(error)"
            }
        }
        read { () throws(ConfigurationError) in
            let decoder = try DocumentDecoder(message)
            for member in try decoder.object(decoder.root) where !member.isNull {
                read { () throws(ConfigurationError) in
                    switch member.name {
                    case "version": version = try decoder.version(member.value)
                    case "spread":
                        spread = .seconds(min(max(try decoder.number(member.value), 0), Self.longestSpread))
                    default: break
                    }
                }
            }
        }
    }

    private static let longestSpread = 86_400.0
}

extension DocumentDecoder {
    /// The highest version of a document, 2⁵³ − 1, which every JSON reader can represent exactly.
    private static let maxVersion = 9_007_199_254_740_991

    /// Reads a document's version.
    package func version(_ node: JSONNode) throws(ConfigurationError) -> Int {
        let version = try integer(node)
        guard 0...Self.maxVersion ~= version else {
            throw fault(.outOfRange, "expected 0 to \(Self.maxVersion), found \(version)", node)
        }
        return version
    }
}
