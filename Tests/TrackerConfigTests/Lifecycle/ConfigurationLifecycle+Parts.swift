import TestSupport
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

extension ConfigurationLifecycle {
    /// A lifecycle that has begun with a configuration.
    init(_ settings: Settings, scope: UserScope, active: ActiveConfiguration?) {
        self.init(settings, UserDocuments(scope))
        let moment = Moment(time: settings.startTime, uptime: .zero, random: SeededRandom(seed: 1))
        _ = handle(.began(active, skipped: []), at: moment)
        if active != nil { _ = handle(.applied(ApplyResult(namespaces: ["a"])), at: moment) }
    }
}

extension ConfigurationLifecycle.Action {
    /// The name of the case; to print a document takes long.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

extension ConfigurationLifecycle.Event {
    /// A switch to a user.
    static func userChanged(_ scope: UserScope, fallback: ActiveConfiguration?) -> Self {
        .userChanged(PendingSwitch(to: UserDocuments(scope), fallback: fallback))
    }
}

extension UserDocuments {
    /// The documents of a scope, which nothing fetches and of which nothing is known.
    init(_ scope: UserScope) {
        let history = VersionHistory(
            directory: nil, url: scope.url,
            identity: VersionHistory.Identity(
                crashGuard: nil, instanceID: nil, random: SeededRandom(seed: 1), time: ManualTime()))
        self.init(scope, FileSource(path: "", maxDocumentSize: 1), own: history)
    }
}
