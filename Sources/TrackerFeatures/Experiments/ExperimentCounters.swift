/// What became of exposures and of sticky assignments since the setup was made.
public struct ExperimentCounters: Sendable, Hashable {
    /// Exposure events that a tracker took.
    public internal(set) var exposuresTracked = 0

    /// Exposure events that no tracker took: the namespace had none, or it was paused or full.
    public internal(set) var exposuresLost = 0

    /// Variants that units were given and that are no longer remembered; an exposure that is told again follows where
    /// such a unit comes back.
    public internal(set) var exposuresEvicted = 0

    /// Assignments that the store took.
    public internal(set) var assignmentsStored = 0

    /// Assignments that the store did not take; one that is made again is counted again.
    public internal(set) var assignmentsLost = 0

    /// How often a call of the store took longer than ``ExperimentOptions/storeTimeout``; each is one of
    /// ``storeFailures`` too.
    public internal(set) var storeTimeouts = 0

    /// How often the store could not be opened, read or written.
    public internal(set) var storeFailures = 0

    init() {}
}
