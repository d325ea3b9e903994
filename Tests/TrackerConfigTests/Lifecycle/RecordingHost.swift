import TestSupport
import TrackerConfig
import TrackerCore
import TrackerFeatures
import TrackerTesting

/// A host that writes down what a lifecycle asks for, with a clock that the test moves. Every draw is one half.
final class RecordingHost: LifecycleHost {
    var uptime = Duration.seconds(1000)
    var hasStream = true
    /// Why nothing can be applied.
    var refusal: ConfigurationError?
    /// What a source or a timer sees, and the ends of fetches.
    private(set) var names: [String] = []
    private(set) var publications = 0
    var lines: [String] = []
    /// The number of the last connection.
    private(set) var number = 0
    var timers: [Lifecycle.Timer: Duration] = [:]

    var now: Lifecycle.Now {
        let time = 1_700_000_000_000 + Int64((uptime - .seconds(1000)) / .milliseconds(1))
        return Lifecycle.Now(time: time, uptime: uptime, random: Halves())
    }

    /// Takes what was written down.
    func takeNames() -> [String] {
        defer { names = [] }
        return names
    }

    func fetch(_ validators: DocumentValidators?) { names.append("fetch") }

    func openStream(_ number: Int) -> Bool {
        self.number = number
        names.append("open")
        return hasStream
    }

    func start(_ timer: Lifecycle.Timer, after wait: Duration) {
        timers[timer] = wait
        if timer == .stream || timer == .hint { names.append("\(timer) \(wait)") }
    }

    func cancel(_ timer: Lifecycle.Timer) {
        if timers.removeValue(forKey: timer) != nil, timer == .hint { names.append("cancel \(timer)") }
    }

    func cancelAll() { timers = [:] }

    func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) throws(ConfigurationError) -> AppliedConfiguration {
        if let refusal { throw refusal }
        return AppliedConfiguration(namespaces: ["a"])
    }

    func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?
    ) {}

    func recordReversion(of version: Int, _ reason: String) {}

    func queueUpdate(
        _ configuration: ActiveConfiguration, _ applied: AppliedConfiguration, _ warnings: [ConfigurationError]
    ) { publications += 1 }

    func markStale(_ isStale: Bool) {}

    func queueOutcome(_ outcome: ConfigurationOutcome, _ level: LogLevel) { names.append("\(outcome.kind)") }

    func log(_ level: LogLevel, _ text: String, about version: Int?) { lines.append("\(level) \(text)") }
}
