/// One step of a simulation: what happens, and the seed of its choices.
///
/// A step draws no numbers of another step, so that steps can be left out and the others stay what they are.
package struct Step: Sendable, Equatable {
    /// What happens.
    package enum Kind: String, Sendable, CaseIterable {
        /// The next timer, load, arrival or answer.
        case proceed
        case track
        case trackCommitted
        case flush
        case pause
        case refresh
        case publish
        case changeUser
        case changeNetwork
        case changePush
        case cutStream
        case floodSignals
        case changeDisk
        case removeStore
        case damageLength
        case damagePage
        case jumpClock
        case kill
        case shutDown
        case start
        case failPower
        case audit

        /// How often it comes, of 10,000 steps.
        fileprivate var weight: Int {
            switch self {
            case .proceed: 6_260
            case .track: 2_600
            case .trackCommitted: 150
            case .flush: 100
            case .pause: 60
            case .refresh: 60
            case .publish: 120
            case .changeUser: 40
            case .changeNetwork: 120
            case .changePush: 80
            case .cutStream: 40
            case .floodSignals: 20
            case .changeDisk: 70
            case .removeStore: 20
            case .damageLength: 10
            case .damagePage: 10
            case .jumpClock: 20
            case .kill: 20
            case .shutDown: 10
            case .start: 160
            case .failPower: 6
            case .audit: 24
            }
        }

        /// The kinds, each as often as its weight says.
        fileprivate static let wheel = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    package let kind: Kind
    let seed: UInt64

    /// The steps of a seed.
    package static func list(seed: UInt64, count: Int) -> [Step] {
        var state = seed
        return (0..<count).map { _ in
            let kind = Kind.wheel[Int(Dice.next(&state) % UInt64(Kind.wheel.count))]
            return Step(kind: kind, seed: Dice.next(&state))
        }
    }
}
