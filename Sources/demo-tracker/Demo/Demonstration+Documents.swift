import TrackerConfig
import TrackerCore

/// The chapters of versions that a running service fetches.
extension Demonstration {
    private static let plain = ["checkout", "search", "payments"].map { DemoDocument.bundle($0, to: "north") }
    private static let anonymous = #""userId": "anonymous""#

    /// A document with the namespaces that are left after chapter 3, all of them with one collector.
    static func document(_ version: Int, _ members: String..., checkout: String = "north") -> DemoDocument {
        DemoDocument(
            version,
            [
                DemoDocument.bundle("checkout", to: checkout, subject: anonymous),
                DemoDocument.bundle("payments", to: "north"),
            ], members)
    }

    mutating func startFromCache() async throws -> DemoService {
        let second = DemoDocument(2, Self.plain)
        try begin(
            "Configured from the cache, then fetched",
            "The service ran before, with version 1 of its document, which it keeps in a cache on disk. Since then version 2 "
                + "was published, with one more tracker. Each tracker has a name, its namespace. The service starts, and does "
                + "not wait for the network. The trackers in version 2, where north stands for its URL:")
        timeline.show(second.bundles)
        try publish(DemoDocument(1, Array(Self.plain.prefix(2))))
        let earlier = try start()
        _ = try await applied(1, by: earlier)
        await shutDown(earlier)
        try publish(second)

        let service = try start()
        let fetched = try await applied(2, by: service)
        let first = service.record.all[0]
        timeline.show(rows: [
            ["at the start", "version \(first.version ?? 0) (\(first.state.rawValue))", list(first.namespaces)],
            [
                "after \(fetched.time.milliseconds) ms", "version 2 (\(fetched.state.rawValue))",
                list(fetched.namespaces),
            ],
        ])
        var claim = Claim()
        claim.expect("the state at the start", first.state, is: .cached)
        claim.expect("the version at the start", first.version, is: 1)
        claim.expect("the namespaces at the start", first.namespaces, is: ["checkout", "search"])
        claim.expect("the namespaces of version 2", fetched.namespaces, is: ["checkout", "search", "payments"])
        try claim.check()
        timeline.result(
            "version \(first.version ?? 0) at the start, from the cache; version 2 after \(fetched.time.milliseconds) ms"
        )
        return service
    }

    mutating func changeAtRunTime(_ service: DemoService) async throws {
        let subject = Self.anonymous + #", "language": "fr""#
        let document = DemoDocument(
            3,
            [
                DemoDocument.bundle("checkout", to: "north", subject: subject),
                DemoDocument.bundle("search", to: "north", subject: Self.anonymous), Self.plain[2],
            ])
        try begin(
            "A change at run time survives a new document",
            "Code of the service sets the user id for events of checkout. Then version 3 is published, with another user "
                + "id and a language. Code takes precedence over the document, setting by setting:")
        let checkout = service.setup.tracker("checkout")
        try checkout?.subject.set(\.userID, to: "u-1")
        try publish(document)
        let outcome = await refresh(service)
        timeline.show(
            rows: [("checkout", "userId"), ("checkout", "language"), ("search", "userId"), ("payments", "userId")]
                .map { namespace, field in
                    let tracker = service.setup.tracker(namespace)
                    let setting =
                        field == "userId"
                        ? tracker?.subject.explain(\.userID) : tracker?.subject.explain(\.language)
                    return [namespace, field, setting?.value?.description ?? "unset", setting.map(Self.origin) ?? ""]
                })
        track(2, "add", with: checkout)
        let events = try await receive(from: servers.north, after: checkout)
        let ours = events.count { $0.parameters["uid"] == "u-1" && $0.parameters["lang"] == "fr" }
        var claim = Claim()
        claim.expect("the outcome", outcome.kind, is: .applied)
        claim.expect("the user id", checkout?.subject.userID, is: "u-1")
        claim.expect("the source of the user id", checkout?.subject.explain(\.userID).source, is: .runtime)
        claim.expect("events", events.count, is: 2)
        claim.expect("events with the user id and the language", ours, is: 2)
        try claim.check()
        timeline.result("after version 3 the user id is still u-1, also in \(ours) of \(events.count) events")
    }

    mutating func removeNamespace(_ service: DemoService) async throws {
        try begin(
            "A namespace without a network configuration is removed",
            "In version 4 the tracker search has no networkConfiguration, which would name its collector. Code of the service "
                + "still has the old tracker, and tracks one more event with it.")
        let bundle = DemoDocument.bundle("search", to: nil)
        let rest = Self.document(4)
        timeline.show([bundle])
        let before = service.setup.namespaces
        let search = service.setup.tracker("search")
        try publish(DemoDocument(4, rest.bundles + [bundle]))
        _ = await refresh(service)
        let after = service.setup.namespaces
        timeline.show(rows: [["before", list(before)], ["after", list(after)]])
        let id = search?.track(Structured(category: "search", action: "query"))
        tally.tracked += 1
        let checkout = service.setup.tracker("checkout")
        track(1, "add", with: checkout)
        let events = try await receive(from: servers.north, after: checkout, search)
        let dropped = search?.counters.droppedByReason[.removed] ?? 0
        var claim = Claim()
        claim.expect("namespaces before", before, is: ["checkout", "payments", "search"])
        claim.expect("namespaces after", after, is: ["checkout", "payments"])
        claim.expect("an event id from the removed tracker", id == nil, is: true)
        claim.expect("dropped events of the removed tracker", dropped, is: 1)
        claim.expect("delivered events", events.map { $0.parameters["tna"] }, is: ["checkout"])
        try claim.check()
        timeline.result(
            "search is removed: \(dropped) late event dropped, and \(events.count) event of checkout sent")
    }

    mutating func rejectDocument(_ service: DemoService) async throws {
        let document = DemoDocument(
            5, [DemoDocument.bundle("payments", to: "south"), DemoDocument.bundle("checkout", to: "42")])
        try begin(
            "A document with a mistake is rejected as a whole",
            "Version 5 moves payments to south, and has a number in place of checkout's URL:")
        timeline.show(document.bundles)
        try publish(document)
        let outcome = await refresh(service)
        timeline.show(["\(outcome)"])
        let (checkout, payments) = (service.setup.tracker("checkout"), service.setup.tracker("payments"))
        track(1, "add", with: checkout)
        track(1, "pay", with: payments)
        let events = try await receive(from: servers.north, after: checkout, payments)
        let version = service.setup.status.document.version
        var claim = Claim()
        claim.expect("the outcome", outcome.kind, is: .rejected)
        claim.expect("the version in use", version, is: 4)
        claim.expect("events at north", events.count, is: 2)
        try claim.check()
        timeline.result("version 5 was rejected; with \(version ?? 0) in use, north has \(events.count) of 2 events")
    }

    private func list(_ namespaces: [String]) -> String { namespaces.joined(separator: ", ") }

    private static func origin(_ setting: SettingExplanation) -> String {
        switch setting.source {
        case .runtime: "set by code at run time"
        case .remote: "version \(setting.version ?? 0) of the document"
        case .default: "default of the service"
        case .builtIn: "built-in value"
        }
    }
}
