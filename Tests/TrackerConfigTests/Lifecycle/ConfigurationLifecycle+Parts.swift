import TestSupport
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

extension ConfigurationLifecycle {
    /// A lifecycle that has begun with a configuration.
    init(_ settings: Settings, active: ActiveConfiguration?) {
        self.init(settings)
        let moment = Moment(time: settings.startTime, uptime: .zero, random: SeededRandom(seed: 1))
        _ = handle(.began(active, skipped: []), at: moment)
        if active != nil { _ = handle(.applied(ApplyResult(namespaces: ["a"])), at: moment) }
    }
}

extension ConfigurationLifecycle.Action {
    /// The name of the case; to print a document takes long.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
