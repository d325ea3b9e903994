/// One step of a simulation: what happens, and the seed of its choices.
///
/// A step draws no numbers of another step, so that steps can be left out and the others stay what they are.
package struct Step: Sendable, Equatable {
    /// What happens.
    package enum Kind: String, Sendable {
        /// The next timer, load, arrival or answer.
        case proceed
        case track, trackCommitted, flush, pause, refresh, publish, changeNetwork, changePush, cutStream
        case floodHints, changeDisk, removeStore, damageLength, damagePage, jumpClock, kill, shutDown, start
        case failPower, audit

        /// How often each comes, of 10,000 steps.
        private static let weights: KeyValuePairs<Kind, Int> = [
            .proceed: 6_260, .track: 2_600, .trackCommitted: 150, .flush: 100, .pause: 60, .refresh: 60, .publish: 120,
            .changeNetwork: 120, .changePush: 80, .cutStream: 40, .floodHints: 20, .changeDisk: 70,
            .removeStore: 20, .damageLength: 10, .damagePage: 10, .jumpClock: 20, .kill: 20, .shutDown: 10, .start: 160,
            .failPower: 6, .audit: 24,
        ]

        /// The kinds, each as often as its weight says.
        fileprivate static let wheel = weights.flatMap { Array(repeating: $0.key, count: $0.value) }
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
