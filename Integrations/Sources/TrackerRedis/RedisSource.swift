public import TrackerFeatures

/// A document in a key of Redis, whose changes are published on a channel.
///
/// ```swift
/// var options = SetupOptions()
/// options.source = RedisSource(RedisOptions(host: "redis.internal"), key: "shop/trackers.json")
/// ```
///
/// A publisher first sets the key and then publishes a message:
///
/// ```
/// redis-cli -x SET shop/trackers.json < trackers.json && redis-cli PUBLISH shop/trackers.json '{"version": 9}'
/// ```
///
/// The message is empty or an object that `ChangeHint(json:)` can read; any other message is a hint too. A server with
/// `notify-keyspace-events K$g` therefore needs no message: then the channel is `__keyspace@0__:shop/trackers.json`.
///
/// A fetch opens its own connection, and transfers the document only if it has changed: a script compares its SHA-1,
/// its ``DocumentValidators/entityTag``. The hints use a permanent connection. Neither uses a thread while it waits.
/// ``RedisOptions/prefix``, ``RedisOptions/reconnectDelay`` and ``RedisOptions/lifetime`` have no effect here.
public struct RedisSource: ConfigurationSource {
    private let options: RedisOptions
    private let key: String
    private let channel: String
    private let maxDocumentSize: Int
    private let streamTimeout: Duration

    /// Creates a source. It connects when it is first used.
    /// - Parameters:
    ///   - options: The server's address and timeouts. ``RedisOptions/timeout`` applies to each answer, also to the
    ///     document.
    ///   - key: The key with the document, a string.
    ///   - channel: The channel on which changes are published; nil, the default, for the channel with the key's name.
    ///   - maxDocumentSize: The maximum size of the document in bytes; 1 MiB by default. A larger document is not
    ///     transferred.
    ///   - streamTimeout: The longest time without data on the connection of hints, 1 s … 1 day; 45 s by default. The
    ///     source sends a `PING` after each third of it.
    public init(
        _ options: RedisOptions, key: String, channel: String? = nil, maxDocumentSize: Int = 1 << 20,
        streamTimeout: Duration = .seconds(45)
    ) {
        self.init(
            options, key: key, channel: channel, maxDocumentSize: maxDocumentSize,
            silence: min(max(streamTimeout, .seconds(1)), .seconds(86_400)))
    }

    /// Creates a source without bounds for the longest time without data.
    init(
        _ options: RedisOptions, key: String, channel: String? = nil, maxDocumentSize: Int = 1 << 20,
        silence: Duration
    ) {
        self.options = options
        self.key = key
        self.channel = channel ?? key
        self.maxDocumentSize = max(maxDocumentSize, 0)
        streamTimeout = silence
    }

    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use; nil fetches the document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if the fetch fails; its status is 404 if the key does not exist.
    public func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let tag = validators?.entityTag ?? ""
        let command = ["EVAL", Self.script, "1", key, tag, "\(maxDocumentSize)"]
        let options = options
        let result: Result<RedisReply, RedisError> = await withCheckedContinuation { continuation in
            let isStarted = RedisThread.start { continuation.resume(returning: Self.ask(command, options)) }
            if !isStarted { continuation.resume(returning: .failure(.withoutThread)) }
        }
        let reply: RedisReply
        do throws(RedisError) {
            reply = try result.get()
            if case .list(let parts) = reply, parts.count == 2 {
                return FetchedDocument(
                    try parts[1].bytes, validators: DocumentValidators(entityTag: try parts[0].text))
            }
            if case .error = reply { _ = try reply.text }
        } catch {
            throw FetchError(error)
        }
        switch reply {
        case .text(""): return nil
        case .null: throw FetchError(.status, reason: "Redis has no key '\(key)'", status: 404)
        case .integer: throw FetchError(.tooLarge, reason: "the document is larger than \(maxDocumentSize) bytes")
        default: throw FetchError(.transport, reason: "Redis answered with something else than a document")
        }
    }

    private static func ask(_ command: [String], _ options: RedisOptions) -> Result<RedisReply, RedisError> {
        do throws(RedisError) {
            return .success(try RedisConnection.connect(options).send([command])[0])
        } catch {
            return .failure(error)
        }
    }

    /// Subscribes to the channel.
    /// - Returns: The hints.
    public func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        RedisSubscription.hints(of: channel, options, silence: streamTimeout)
    }

    // One script, because the document may change between two commands.
    private static let script = """
        local size = redis.call('STRLEN', KEYS[1])
        if size > tonumber(ARGV[2]) then return size end
        local document = redis.call('GET', KEYS[1])
        if not document then return false end
        local tag = redis.sha1hex(document)
        if tag == ARGV[1] then return '' end
        return {tag, document}
        """
}

extension FetchError {
    init(_ error: RedisError) {
        self.init(error.code == .timeout ? .timeout : .transport, reason: error.reason, cause: error)
    }
}
