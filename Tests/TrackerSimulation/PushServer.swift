import FoundationEssentials
import TrackerConfig
import TrackerFeatures

/// The server that hints over connections at changes of documents, and what becomes of its hints.
struct PushServer {
    enum Weather: String, CaseIterable {
        case fine
        /// Half of the hints are lost.
        case lossy
        /// Hints come up to two minutes late, in any order.
        case late
        /// Hints come several times.
        case repeating
        /// Hints name older versions, or versions that no document has.
        case lying
        /// Connections are cut after a while.
        case cutting
        /// Connections look alive, and nothing comes over them.
        case frozen
        /// Connections are refused.
        case refusing
        /// The server is dead.
        case down
    }

    /// A connection of a process.
    struct Connection {
        /// What the process tells its hints by.
        let number: Int
        var isOpen = false
        /// Whether nothing comes over it any more.
        var isDead = false
    }

    /// What comes over a connection.
    enum Delivery {
        /// It is open; one that is dead only looks like that.
        case opens(isDead: Bool)
        /// A hint, with the document that it is truly about; nil for one that says something wrong or nothing.
        case hint(ChangeHint, about: Publication?)
        /// The end of the connection; its failure if it has one.
        case ends(FetchError?)
    }

    /// A delivery and the milliseconds until it comes.
    typealias Delayed = (delivery: Delivery, delay: Int)

    /// The silence after which a process takes its connection for dead, in milliseconds.
    static let silenceLimit = 45_000

    var weather = Weather.fine
    /// Whether the service has a push server, and whether its address comes with the first document.
    let isOffered: Bool
    let isLearnt: Bool

    init(_ dice: Dice) {
        isOffered = dice.chance(percent: 85)
        isLearnt = dice.chance(percent: 40)
    }

    /// What comes of an attempt to connect.
    func welcome(_ dice: Dice) -> [Delayed] {
        switch weather {
        case .down:
            [(.ends(FetchError(.transport, reason: "the push server cannot be reached")), dice.within(1...10_000))]
        case .refusing: [(.ends(refusal(dice)), dice.within(1...500))]
        case .frozen where dice.chance(percent: 50): [(.ends(Self.silence), Self.silenceLimit)]
        case .frozen: [(.opens(isDead: true), dice.within(1...500)), (.ends(Self.silence), Self.silenceLimit + 500)]
        case .cutting:
            [
                (.opens(isDead: false), dice.within(1...500)),
                (.ends(dice.chance(percent: 50) ? Self.cut : nil), dice.within(501...90_000)),
            ]
        default: [(.opens(isDead: false), dice.within(1...500))]
        }
    }

    static let silence = FetchError(.timeout, reason: "the stream was silent")
    static let cut = FetchError(.transport, reason: "the connection was cut")

    private func refusal(_ dice: Dice) -> FetchError {
        let status = dice.pick([204, 401, 408, 429, 503, 503])
        let retryAfter = status > 408 && dice.chance(percent: 60) ? Duration.seconds(dice.within(1...300)) : nil
        return FetchError(
            .status, reason: "the push server answered \(status)", retryAfter: retryAfter, status: status)
    }

    /// What a connection brings after a publication.
    /// - Parameters:
    ///   - publication: What was published.
    ///   - dice: The random numbers.
    /// - Returns: The hints.
    func hints(at publication: Publication, _ dice: Dice) -> [Delayed] {
        let number = publication.document?.version
        var hint = ChangeHint()
        if dice.chance(percent: 70) { hint.version = number }
        if dice.chance(percent: 30) { hint.spread = .seconds(dice.within(1...60)) }
        let good = Delivery.hint(hint, about: publication)
        switch weather {
        case .lossy where dice.chance(percent: 50): return []
        case .frozen, .down: return []
        case .late: return [(good, dice.within(1...120_000))]
        case .repeating: return (0...dice.below(4)).map { _ in (good, dice.within(1...3_000)) }
        case .lying:
            let version = number ?? 0
            let wrong = dice.chance(percent: 60) ? max(1, version - dice.within(1...9)) : version + 1_000
            return [(.hint(ChangeHint(version: wrong), about: nil), dice.within(1...50))]
        default: return [(good, dice.within(1...50))]
        }
    }

    /// So many hints without a version within ten seconds.
    func flood(_ dice: Dice) -> [Delayed] {
        (0..<dice.within(20...100)).map { _ in (.hint(ChangeHint(), about: nil), dice.within(1...10_000)) }
    }
}
