/// What became of exposures and of sticky assignments since the setup was made.
public struct ExperimentCounters: Sendable, Hashable {
    /// Exposure events that a tracker took.
    public var exposuresTracked = 0

    /// Exposure events that no tracker took: the namespace had none, or it was paused or full.
    public var exposuresLost = 0

    /// Variants that units were given and that are no longer remembered; an exposure that is recorded again follows if
    /// such a unit comes back.
    public var exposuresEvicted = 0

    /// Assignments that the store took.
    public var assignmentsStored = 0

    /// Assignments that the store did not take; one that is made again is counted again.
    public var assignmentsLost = 0

    /// Assignments that the embedded store removed because there were more than
    /// ``ExperimentOptions/maxStoredAssignments``.
    public var assignmentsEvicted = 0

    /// How often a call of the store took longer than ``ExperimentOptions/storeTimeout``; each is one of
    /// ``storeFailures`` too.
    public var storeTimeouts = 0

    /// How often the store could not be opened, read or written.
    public var storeFailures = 0

    /// Creates counters at zero.
    public init() {}
}
