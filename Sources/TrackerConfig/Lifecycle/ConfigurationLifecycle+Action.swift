extension ConfigurationLifecycle {
    /// What the updater has to do.
    // Indirect, as events are: the code that copies what the cases carry would be larger than what uses it.
    package indirect enum Action: Sendable {
        /// Ask the current user's source; answered by ``Event/fetched(_:_:)``.
        case fetch(Fetch)
        /// Review a document that came with a signal; answered by ``Event/fetched(_:_:)``.
        case adopt(Fetch, FetchedDocument)
        /// Open a connection over which the source signals, in place of the one before. The number distinguishes its signals;
        /// answered at once by ``Event/streamMissing`` if the source has none.
        case openStream(Int)
        /// Close that connection.
        case closeStream
        /// Change trackers and features, all or nothing; answered at once, and the last of its list.
        case apply(ApplyRequest)
        /// Keep a document for later starts. The version `unproven` in the cache is not worth keeping beside it.
        case cache(ActiveConfiguration, [HTTPHeader], previous: ActiveConfiguration?, unproven: Int?)
        /// Read what the cache has of the current user; answered by ``Event/cacheLoaded(_:)``.
        case loadCache
        /// Find what the active canary can be rolled back to; answered by ``Event/rollbackTargetFound(_:_:)``.
        case findRollbackTarget(RollbackSearch)
        /// Record that a configuration is bad, for all processes of the instance.
        case recordReversion(ActiveConfiguration, String)
        /// Start a timer, in place of the one of its kind that runs. The canary's timer repeats.
        case startTimer(Timer, Duration)
        case cancelTimer(Timer)
        /// Cancel all fetches and timers, and close the connection of signals.
        case cancelAll
        /// The user is the current one from now on.
        case enter(PendingSwitch)
        /// Refuse the start or a switch to another user, because a tracker could not work.
        case refuse(ConfigurationError)
        /// Deliver an update, with these warnings, which have lines of their own, before the document's.
        case publish(ActiveConfiguration, ApplyResult, [ConfigurationError])
        /// Note that no configuration is active.
        case withdraw
        /// Mark what the document gives as stale, or no longer.
        case markStale(Bool)
        /// Report the end of the fetch of a URL, after its update, and log it at a level; nil if the document came with a signal.
        case report(ConfigurationOutcome, url: String?, LogLevel)
        case log(LogLevel, String, version: Int? = nil)
    }

    /// The timers of a configuration.
    package enum Timer: Sendable, Hashable {
        /// Stops the wait of the first fetch for the cached document.
        case cache
        /// Stops the startup watchdog.
        case startup
        case canary
        case poll
        /// Waits before the next connection of signals.
        case stream
        /// Waits before a fetch that a signal asks for.
        case signal
        /// Waits for the source to be reached, before the document is stale.
        case staleness
    }

    /// A canary for which a rollback target is searched, and what shows that it is still the active one.
    package struct RollbackSearch: Sendable {
        package let canary: ActiveConfiguration
        package let changes: Int
        package let switches: Int
    }

    /// A configuration to apply, with all that its application needs.
    package struct ApplyRequest: Sendable {
        /// What becomes of the startup watchdog's watch.
        package enum Watch: Sendable {
            case continues
            /// It ends without a result: its version is no longer active.
            case ends
            /// It begins anew with the configuration.
            case begins
        }

        /// The configuration; nil for none at all.
        package let configuration: ActiveConfiguration?
        /// The active configuration.
        package let previous: ActiveConfiguration?
        /// The documents of the user whose configuration it is.
        package let documents: UserDocuments
        /// The watchdogs of the user until now.
        let formerWatchdogs: [StartupWatchdog]
        /// The trackers to remove if the configuration does not name them; nil for all.
        package let removes: Set<ExactText>?
        package let watch: Watch
    }
}
