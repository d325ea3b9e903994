import TrackerConfig
import TrackerCore

/// A document as it is on a server.
final class Publication: Sendable {
    let url: String
    let bytes: [UInt8]
    let tag: String
    /// The document; nil if it is malformed.
    let document: Document?
    /// Whether its trackers send to a collector that refuses everything.
    let isBad: Bool
    let words: String
    /// When it was published, and how many there were before it at its URL.
    let time: Int64
    let number: Int

    init(url: String, bytes: [UInt8], tag: String, isBad: Bool, words: String, time: Int64, number: Int) {
        (self.url, self.bytes, self.tag, self.isBad, self.words) = (url, bytes, tag, isBad, words)
        (self.time, self.number) = (time, number)
        // A malformed document is one of the faults.
        document = try? Document(bytes)
    }
}

/// The server of the documents, with one list of documents for each URL.
struct DocumentServer {
    private(set) var published: [String: [Publication]] = [:]
    /// By their bytes, all that were ever published.
    private(set) var all: [[UInt8]: Publication] = [:]
    private var highest: [String: Int] = [:]
    private var count = 0
    private let clock: VirtualClock

    init(_ clock: VirtualClock) {
        self.clock = clock
    }

    /// The URL of the documents.
    static let url = "https://config.example/trackers.json"

    /// The namespaces that documents name.
    static let namespaces = ["shop", "pay", "mail"]

    /// What the server has at a URL now; sometimes a replica has what was there before.
    func current(_ url: String, isStale: Bool) -> Publication? {
        guard let list = published[url] else { return nil }
        return isStale && list.count > 1 ? list[list.count - 2] : list.last
    }

    /// Publishes a random document.
    mutating func publish(at url: String, _ dice: Dice) -> Publication {
        var version = highest[url] ?? 10
        var words = "version"
        switch dice.below(20) {
        case 0...1:
            version = max(1, version - dice.within(0...4))
            words = "older version"
        default: version += dice.within(1...3)
        }
        let isMalformed = dice.chance(percent: 12)
        let isCanary = dice.chance(percent: 45)
        let isBad = isCanary && dice.chance(percent: 50)
        let percent = dice.chance(percent: 70) ? 100 : 50
        var more = ""
        if isCanary {
            let rollout = #","rollout":{"percent":\#(percent),"bakeSeconds":\#(dice.pick([60, 120, 300]))}"#
            more += rollout
            words = "\(isBad ? "bad" : "good") canary of \(words)"
        }
        var bytes = text(version, dice, isBad: isBad, more: more)
        if isMalformed {
            words = "malformed \(words)"
            bytes = dice.chance(percent: 50) ? Array(bytes.dropLast(dice.within(1...40))) : bytes + [0x7D]
        } else if version > highest[url] ?? 0 {
            highest[url] = version
        }
        return add(url, bytes, isBad: isBad, "\(words) \(version)")
    }

    /// Publishes a good document for all, which is higher than all others.
    mutating func publishLast(at url: String) -> Publication {
        var version = highest[url] ?? 10
        version += 1
        highest[url] = version
        let bundles = Self.namespaces.map { Self.bundle($0, version, host: "one.example", emitter: #""emitRange":50"#) }
        return add(url, Self.document(version, bundles, more: ""), isBad: false, "the last version \(version)")
    }

    private mutating func add(_ url: String, _ bytes: [UInt8], isBad: Bool, _ words: String) -> Publication {
        count += 1
        let publication = Publication(
            url: url, bytes: bytes, tag: "t\(count)", isBad: isBad, words: words, time: clock.milliseconds,
            number: published[url]?.count ?? 0)
        published[url, default: []].append(publication)
        all[bytes] = publication
        return publication
    }

    private func text(_ version: Int, _ dice: Dice, isBad: Bool, more: String) -> [UInt8] {
        let emitters = [
            #""emitRange":\#(dice.within(1...60))"#, #""threadPoolSize":\#(dice.within(1...3))"#,
            #""bufferOption":"\#(dice.pick(["Single", "SmallGroup", "LargeGroup"]))""#,
            #""maxRetryDelay":\#(dice.within(1...4))"#,
            #""byteLimitPost":\#(dice.pick([1_000, 5_000, 100_000]))"#,
        ].filter { _ in dice.chance(percent: 70) }
        var bound: [String] = []
        if dice.chance(percent: 15) { bound.append(#""maxEventStoreSize":\#(dice.within(5...60))"#) }
        if dice.chance(percent: 10) { bound.append(#""maxEventStoreAge":\#(dice.within(20...300))"#) }
        let host = isBad ? Network.badHost : dice.pick(["one.example", "one.example", "two.example"])
        let names = Self.namespaces.filter { $0 == "shop" || dice.chance(percent: 80) }
        let emitter = (emitters + bound).joined(separator: ",")
        return Self.document(version, names.map { Self.bundle($0, version, host: host, emitter: emitter) }, more: more)
    }

    private static func document(_ version: Int, _ bundles: [String], more: String) -> [UInt8] {
        let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-1-0"
        let text = """
            {"$schema":"\(schema)","configurationVersion":\(version),\
            "configurationBundle":[\(bundles.joined(separator: ","))]\(more)}
            """
        return Array(text.utf8)
    }

    /// A bundle whose application id is the version, which shows of each tracker what it was brought to.
    private static func bundle(_ namespace: String, _ version: Int, host: String, emitter: String) -> String {
        """
        {"namespace":"\(namespace)","networkConfiguration":{"endpoint":"https://\(host)"},\
        "trackerConfiguration":{"appId":"\(version)"},"emitterConfiguration":{\(emitter)}}
        """
    }
}
