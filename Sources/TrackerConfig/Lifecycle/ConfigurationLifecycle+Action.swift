extension ConfigurationLifecycle {
    /// What the updater has to do.
    // Indirect, as events are: the code that copies what the cases carry would be larger than what uses it.
    package indirect enum Action: Sendable {
        /// Ask the source; answered by ``Event/fetched(_:_:)``.
        case fetch(Fetch)
        /// Open a connection over which the source hints at changes, in place of the one before. The number distinguishes its hints;
        /// answered at once by ``Event/streamMissing`` if the source has none.
        case openStream(Int)
        /// Change trackers and features, all or nothing; answered at once, and the last of its list.
        case apply(ApplyRequest)
        /// Keep a document for later starts. The version `unproven` in the cache is not worth keeping beside it.
        case cache(ActiveConfiguration, [HTTPHeader], previous: ActiveConfiguration?, unproven: Int?)
        /// Record that a configuration is bad, for all processes of the instance.
        case recordReversion(ActiveConfiguration, String)
        /// Start a timer, in place of the one of its kind that runs. The canary's timer repeats.
        case startTimer(Timer, Duration)
        case cancelTimer(Timer)
        /// Cancel all fetches and timers, and close the stream of changes.
        case cancelAll
        /// Refuse the start, because a tracker could not work.
        case refuse(ConfigurationError)
        /// Deliver an update, with these warnings, which have lines of their own, before the document's.
        case publish(ActiveConfiguration, ApplyResult, [ConfigurationError])
        /// Mark what the document gives as stale, or no longer.
        case markStale(Bool)
        /// Report the end of a fetch, after its update, and log it at a level.
        case report(ConfigurationOutcome, LogLevel)
        /// Log a line, about a version if there is one.
        case log(LogLevel, String, version: Int? = nil)
    }

    /// The timers of a configuration.
    package enum Timer: Sendable, Hashable {
        /// Stops the startup watchdog.
        case startup
        case canary
        case poll
        /// Waits before the next connection of the stream of changes.
        case stream
        /// Waits before a fetch that hints ask for.
        case hint
        /// Waits for the source to be reached, before the document is stale.
        case staleness
    }

    /// A configuration to apply, with all that its application needs.
    package struct ApplyRequest: Sendable {
        /// What becomes of the startup watchdog's watch.
        package enum Watch: Sendable {
            case continues
            /// It begins anew with the configuration.
            case begins
        }

        package let configuration: ActiveConfiguration
        /// The trackers to remove if the configuration does not name them.
        package let removes: Set<ExactText>
        package let watch: Watch
    }
}
