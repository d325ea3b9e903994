import TrackerConfig

/// The units of a sticky experiment's removed variant that get another one: the only units with a stored variant that move.
package struct RedrawnUnits: Sendable, Equatable {
    /// The variant that was removed.
    package let from: String

    /// The variant that they are drawn; nil if no variant has a share.
    package let to: String?

    /// The share of all units that take part, 0…1, if each of them has the variant that the hash gave it.
    package let share: Double

    /// The units of all removed variants, in the order of the variants.
    /// - Parameters:
    ///   - old: The experiment before.
    ///   - new: The experiment after.
    /// - Returns: Nothing unless the experiment is sticky before and after, and its stored variants count.
    static func list(from old: Experiment, to new: Experiment) -> [RedrawnUnits] {
        guard old.isSticky, new.isSticky, old.bucketVersion == new.bucketVersion, new.isEnabled, new.isUsable,
            old.isEnabled, old.isUsable
        else { return [] }
        var moves: [RedrawnUnits] = []
        let removed = zip(old.variants, old.ranges).filter { variant, range in
            !range.isEmpty && !new.variants.contains { $0.name.isExactly(variant.name) }
        }
        for (variant, range) in removed {
            let share = range.upperBound - range.lowerBound
            // Then no unit is assigned.
            if let forced = new.forcedVariant {
                moves.append(RedrawnUnits(from: variant.name, to: forced, share: share))
                continue
            }
            let targets = zip(new.variants, new.rangesOfFormer).filter { !$0.1.isEmpty }
            moves += targets.map { target, part in
                RedrawnUnits(
                    from: variant.name, to: target.name,
                    share: share * (part.upperBound - part.lowerBound))
            }
            if targets.isEmpty { moves.append(RedrawnUnits(from: variant.name, to: nil, share: share)) }
        }
        return moves
    }
}
