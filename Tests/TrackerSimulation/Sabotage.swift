/// A promise that the simulated executor breaks on purpose, which shows that the checks find it.
package enum Sabotage: String, Sendable, CaseIterable {
    /// A slot's events stay in the slot when another process takes them over.
    case adoptsTwice
    /// Events stay in the store after the collector took them.
    case forgetsRemoval
    /// What a dead process left in its staging file stays there.
    case forgetsStaged
    /// A document is applied to all trackers but one.
    case appliesHalf
    /// A canary that fails stays active.
    case skipsRollback
    /// An event that was dropped is not counted.
    case forgetsDrop
    /// The timer of a back-off never fires.
    case losesTimer
}
