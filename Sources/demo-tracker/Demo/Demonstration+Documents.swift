import TrackerConfig
import TrackerCore

/// The chapters about versions that a running service fetches.
extension Demonstration {
    private static let plain = ["checkout", "search", "payments"].map { bundle($0, to: "north") }
    private static let anonymous = #""userId": "anonymous""#

    /// Returns the bundle of a namespace as JSON text.
    /// - Parameters:
    ///   - namespace: The namespace.
    ///   - collector: The name of a collector, or JSON text in place of a URL; nil for no network configuration.
    ///   - subject: The settings of the subject, without braces; none by default.
    /// - Returns: The bundle.
    private static func bundle(_ namespace: String, to collector: String?, subject: String? = nil) -> String {
        let network = collector.map { #", "networkConfiguration": {"endpoint": \#($0)}"# } ?? ""
        let subject = subject.map { #", "subjectConfiguration": {\#($0)}"# } ?? ""
        return #"{"namespace": "\#(namespace)"\#(network)\#(subject)}"#
    }

    /// The bundles after chapter 3, all with the same collector.
    static func bundles(checkout: String = "north") -> [String] {
        [bundle("checkout", to: checkout, subject: anonymous), bundle("payments", to: "north")]
    }

    mutating func startFromCache() async throws -> Service {
        try begin(
            "Configured from the cache, then fetched",
            "The service ran before, with version 1 of its document, which it keeps in a cache on disk. Since then version 2 "
                + "was published, with one more tracker. Each tracker has a name, its namespace. The service starts, and does "
                + "not wait for the network. The trackers in version 2, where north stands for its URL:")
        printer.show(Self.plain)
        try publish(1, Array(Self.plain.prefix(2)))
        let earlier = try start()
        _ = try await wait(for: 1, by: earlier)
        await shutDown(earlier)
        try publish(2, Self.plain)
        let service = try start()
        let fetched = try await wait(for: 2, by: service)
        let first = service.applied.withLock { $0[0].update }
        let time = fetched.time.milliseconds
        printer.show(rows: [
            ["at the start", "version \(first.version ?? 0) (\(first.state.rawValue))", list(first.namespaces)],
            ["after \(time) ms", "version 2 (\(fetched.update.state.rawValue))", list(fetched.update.namespaces)],
        ])
        try expect("the start", [first.state.rawValue, "\(first.version ?? 0)"], is: ["cached", "1"])
        try expect("the namespaces at the start", first.namespaces, is: ["checkout", "search"])
        try expect("the namespaces of version 2", fetched.update.namespaces, is: ["checkout", "search", "payments"])
        printer.result("version \(first.version ?? 0) at the start, from the cache; version 2 after \(time) ms")
        return service
    }

    mutating func changeAtRunTime(_ service: Service) async throws {
        try begin(
            "A change at run time survives a new document",
            "Code of the service sets the user id for events of checkout. Then version 3 is published, with another user "
                + "id and a language. Code takes precedence over the document, setting by setting:")
        let checkout = service.setup.tracker("checkout")
        try checkout?.subject.set(\.userID, to: "u-1")
        let french = Self.bundle("checkout", to: "north", subject: Self.anonymous + #", "language": "fr""#)
        try publish(3, [french, Self.bundle("search", to: "north", subject: Self.anonymous), Self.plain[2]])
        let outcome = await refresh(service)
        func row(_ namespace: String, _ field: String, _ setting: SettingExplanation?) -> [String] {
            [namespace, field, setting?.value?.description ?? "unset", setting.map(Self.origin) ?? ""]
        }
        let (search, payments) = (service.setup.tracker("search"), service.setup.tracker("payments"))
        printer.show(rows: [
            row("checkout", "userId", checkout?.subject.explanation(\.userID)),
            row("checkout", "language", checkout?.subject.explanation(\.language)),
            row("search", "userId", search?.subject.explanation(\.userID)),
            row("payments", "userId", payments?.subject.explanation(\.userID)),
        ])
        track(2, "add", with: checkout)
        let events = try await receive(from: servers.north, after: checkout)
        let ours = events.count { $0["uid"] == "u-1" && $0["lang"] == "fr" }
        try expect("the outcome", outcome.kind, is: .applied)
        try expect("the source of the user id", checkout?.subject.explanation(\.userID).source, is: .runtime)
        try expect("events", events.count, is: 2)
        try expect("events with the user id and the language", ours, is: 2)
        printer.result("after version 3 the user id is still u-1, also in \(ours) of \(events.count) events")
    }

    mutating func removeNamespace(_ service: Service) async throws {
        try begin(
            "A namespace without a network configuration is removed",
            "In version 4 the tracker search has no networkConfiguration, which would name its collector. Code of the service "
                + "still has the old tracker, and tracks one more event with it.")
        let bundle = Self.bundle("search", to: nil)
        printer.show([bundle])
        let before = service.setup.namespaces
        let search = service.setup.tracker("search")
        try publish(4, Self.bundles() + [bundle])
        _ = await refresh(service)
        let after = service.setup.namespaces
        printer.show(rows: [["before", list(before)], ["after", list(after)]])
        search?.track(Structured(category: "search", action: "query"))
        tracked += 1
        let checkout = service.setup.tracker("checkout")
        track(1, "add", with: checkout)
        let events = try await receive(from: servers.north, after: checkout, search)
        let dropped = search?.counters.droppedByReason[.removed] ?? 0
        try expect("namespaces", [before, after].map(list), is: ["checkout, payments, search", "checkout, payments"])
        try expect("dropped events of the removed tracker", dropped, is: 1)
        try expect("delivered events", events.map { $0["tna"] }, is: ["checkout"])
        printer.result("search is removed: \(dropped) late event dropped, and \(events.count) event of checkout sent")
    }

    mutating func rejectDocument(_ service: Service) async throws {
        try begin(
            "A document with a mistake is rejected as a whole",
            "Version 5 moves payments to south, and has a number in place of checkout's URL:")
        let bundles = [Self.bundle("payments", to: "south"), Self.bundle("checkout", to: "42")]
        printer.show(bundles)
        try publish(5, bundles)
        let outcome = await refresh(service)
        printer.show(["\(outcome)"])
        let (checkout, payments) = (service.setup.tracker("checkout"), service.setup.tracker("payments"))
        track(1, "add", with: checkout)
        track(1, "pay", with: payments)
        let events = try await receive(from: servers.north, after: checkout, payments)
        let version = service.setup.status.document.version
        try expect("the outcome", outcome.kind, is: .rejected)
        try expect("the version in use", version, is: 4)
        try expect("events at north", events.count, is: 2)
        printer.result("version 5 was rejected; with \(version ?? 0) in use, north has \(events.count) of 2 events")
    }

    private func list(_ namespaces: [String]) -> String { namespaces.joined(separator: ", ") }

    private static func origin(_ setting: SettingExplanation) -> String {
        if setting.source == .remote { return "version \(setting.version ?? 0) of the document" }
        return setting.source == .runtime ? "set by code at run time" : "built-in value"
    }
}
