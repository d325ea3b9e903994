/// The numbers of exposures and sticky assignments since the setup was created, by outcome.
package struct ExperimentCounters: Sendable, Hashable {
    /// The number of exposure events that a tracker accepted.
    package var exposuresTracked = 0

    /// The number of exposure events that no tracker accepted: the namespace had no tracker, or it was paused or full.
    package var exposuresLost = 0

    /// The number of exposures that the process no longer remembers; when such a unit returns, its exposure is recorded
    /// again.
    package var exposuresEvicted = 0

    /// The number of assignments that the store accepted.
    package var assignmentsStored = 0

    /// The number of assignments that the store did not accept; repeated ones count again.
    package var assignmentsLost = 0

    /// The number of assignments that the embedded store removed because there were more than about 1,000,000.
    package var assignmentsEvicted = 0

    /// The number of calls of the store that timed out, see ``AssignmentStore``; ``storeFailures`` includes them.
    package var storeTimeouts = 0

    /// The number of times that the store could not be opened, read or written.
    package var storeFailures = 0

    /// Creates counters at zero.
    package init() {}
}
