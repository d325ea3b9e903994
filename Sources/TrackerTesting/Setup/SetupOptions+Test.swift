public import TrackerConfig
public import TrackerFeatures

extension SetupOptions {
    /// The clock of a test; nil, the default, for the clocks of the machine.
    public var manualTime: ManualTime? {
        get { time as? ManualTime }
        set { time = newValue ?? SystemTime() }
    }

    /// The source of ids and jitter of a test; nil, the default, for the kernel's random generator.
    public var seededRandom: SeededRandom? {
        get { random as? SeededRandom }
        set { random = newValue ?? SystemRandom() }
    }

    /// Returns options for a setup without disk and network, for a service that creates its own setup.
    ///
    /// Documents, events, sessions and assignments stay in memory, no crash guard is active, and the instance's id for
    /// rollouts is `test`.
    ///
    /// ```swift
    /// let (source, collector) = (MemorySource(document), RecordingCollector())
    /// let shop = try Shop(options: .test(source: source, collector: collector, time: ManualTime()))
    /// ```
    /// - Parameters:
    ///   - source: The source of documents.
    ///   - collector: The transport of the trackers.
    ///   - time: The clock.
    ///   - log: The log, with the records of all levels up to ``/TrackerConfig/LogLevel/debug``; none by default.
    ///   - seed: The seed of ids and jitter; 1 by default.
    /// - Returns: The options.
    public static func test(
        source: any ConfigurationSource, collector: any HTTPTransport, time: ManualTime,
        log: (any LogSink)? = nil, seed: UInt64 = 1
    ) -> SetupOptions {
        var options = SetupOptions()
        options.source = source
        options.transport = collector
        options.manualTime = time
        options.seededRandom = SeededRandom(seed: seed)
        options.log = log
        options.logLevel = .debug
        options.cache = MemoryCache()
        options.usesStandardStateDirectory = false
        options.storesEvents = false
        options.experiments.assignmentStore = MemoryAssignments()
        options.instanceID = "test"
        options.crashGuard = nil
        return options
    }
}
