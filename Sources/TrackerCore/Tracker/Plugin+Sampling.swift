extension Plugin {
    /// Creates a plugin that leaves out a share of the events, counted as ``TrackerCounters/sampledOut``.
    ///
    /// It is independent of the document's ``TrackerConfiguration/sampling``: an event is tracked if both include it.
    /// - Parameters:
    ///   - rate: The share that is tracked; 0 … 1; a number outside is clamped.
    ///   - key: What is tracked or left out together; each event by itself by default.
    ///   - events: The events that it is about; all by default.
    ///   - name: The name by which the plugin is removed; `sampling` by default.
    /// - Returns: The plugin.
    public static func sampling(
        rate: Double, by key: Sampling.Key = .event, for events: EventSelection = .all, name: String = "sampling"
    ) -> Plugin {
        var plugin = Plugin(name: name)
        plugin.sampling = (Sampling(rate: rate, by: key), events)
        return plugin
    }
}

extension Sampling {
    /// Whether an event is tracked.
    /// - Parameters:
    ///   - event: The event.
    ///   - fraction: A random number in 0 ..< 1, for an event by itself.
    /// - Returns: Whether it is within the rate.
    func admits(_ event: TrackedEvent, _ fraction: Double) -> Bool {
        let subject = event.mergedSubject
        let id: String? =
            switch key {
            case .event: nil
            case .user: subject.userID ?? subject.domainUserID
            case .trace: event.traceID
            }
        return (id.map(Self.fraction) ?? fraction) < rate
    }

    /// The place of an id in 0 ..< 1, the same in all processes.
    private static func fraction(of id: String) -> Double {
        var hash = StableHash()
        hash.combine(id.utf8)
        // FNV alone leaves the high bits of short texts alike; this is the finalizer of SplitMix64.
        var word = hash.value
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        word ^= word >> 31
        return Double(word >> 11) * 0x1p-53
    }
}
