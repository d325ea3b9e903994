/// A promise that the simulated executor breaks on purpose, which shows that the checks find it.
package enum Sabotage: String, Sendable, CaseIterable {
    /// A slot's events stay in the slot when another process takes them over.
    case takesTwice
    /// What files take from others is not completed after a kill.
    case forgetsTaken
    /// What dead processes left stays where it is.
    case forgetsLeft
    /// Events stay in the store after the collector took them.
    case forgetsRemoval
    /// What comes behind a damaged length, or behind a damaged page, is given up.
    case givesUpBehindDamage
    /// Events that are lost by damage are not counted.
    case forgetsDamage
    /// A step of the wall clock moves the timers of deliveries.
    case waitsByWallClock
    /// A document is applied to all trackers but one.
    case appliesHalf
    /// A canary that fails stays active.
    case skipsRollback
    /// An event that was dropped is not counted.
    case forgetsDrop
    /// The timer of a back-off never fires.
    case losesTimer
    /// Polls are rare while there is a connection to the push server.
    case pollsLessWhileStreaming
    /// What hints ask for is fetched at once.
    case fetchesAtOnce
    /// Hints lead to nothing.
    case ignoresHints
    /// The wait for the next connection never ends.
    case losesStreamTimer
    /// The next connection does not wait for as long as the server asks for.
    case connectsAtOnce

    /// The steps of seed 1 within which the checks notice it; `simulate --sabotages` prints at which step they do.
    package var steps: Int { 100_000 }
}
