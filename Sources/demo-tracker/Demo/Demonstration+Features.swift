import Foundation
import TrackerConfig
import TrackerCore

/// The chapters about features, an experiment and the stream.
extension Demonstration {
    /// The values for a user.
    private typealias Decision = (
        user: String, team: String, express: EvaluationDetail<Bool>, variant: String, attempts: Int
    )

    /// The features of a document.
    private static func features(express: String) -> String {
        #""features": {"express": {\#(express)}, "checkout": {"variables": {"attempts": {"value": 3}}}}"#
    }

    mutating func evaluateFeatures(_ service: Service) async throws {
        try begin(
            "A feature by a rule, and an experiment",
            "Version 8 has a feature, express, which a rule enables for the staff, and an experiment: half of the users get "
                + "the variant fast, with 8 attempts to pay in place of 3. Five requests run at once, each bound to its user. An "
                + "exposure is the event that a user got a variant.")
        let rule = #"{"id": "for-staff", "condition": {"team": "staff"}, "enabled": true}"#
        let variants = [
            #"{"name": "control", "weight": 50}"#,
            #"{"name": "fast", "weight": 50, "values": {"checkout": {"attempts": 8}}}"#,
        ]
        printer.show([rule] + variants)
        let experiment = #"{"id": "checkout_01", "variants": [\#(variants.joined(separator: ", "))]}"#
        let features = Self.features(express: #""enabled": false, "rules": [\#(rule)]"#)
        try publish(8, Self.bundles(), [features, #""experiments": [\#(experiment)]"#])
        _ = await refresh(service)
        let decisions = await Self.decide(service.setup)
        // Each user's first variant records an exposure, which is also an event.
        tracked += decisions.count
        printer.show(
            rows: [["user", "team", "express", "variant", "attempts"]]
                + decisions.map { decision in
                    let rule = decision.express.rule.map { " (rule \($0))" } ?? ""
                    let express = (decision.express.value ? "on" : "off") + rule
                    return [decision.user, decision.team, express, decision.variant, "\(decision.attempts)"]
                })
        let exposures = try await receive(from: servers.north, after: service.setup.tracker("checkout"))
        // The unit of the exposure, the user of the event, and the variant.
        let found = exposures.map { event in
            let data = event.selfDescribing?["data"]
            return [data?["unitId"]?.string, event["uid"], data?["variant"]?.string]
        }
        let fast = decisions.count { $0.variant == "fast" }
        let express = decisions.filter(\.express.value)
        try expect("users with express", express.map { [$0.user, $0.express.rule] }, is: [["u-2", "for-staff"]])
        try expect("users of both variants", 1..<decisions.count ~= fast, is: true)
        try expect("attempts", decisions.map(\.attempts), is: decisions.map { $0.variant == "fast" ? 8 : 3 })
        try expect("exposures", Set(found), is: Set(decisions.map { [$0.user, $0.user, $0.variant] }))
        printer.result(
            "express for \(express.count) of \(decisions.count) users, fast for \(fast); "
                + "north has \(found.count) exposures")
    }

    /// Serves requests of five users concurrently.
    private static func decide(_ setup: Setup) async -> [Decision] {
        let requests = (1...5).map { number in
            let (user, team) = ("u-\(number)", number == 2 ? "staff" : "")
            let evaluation = FeatureContext(
                units: ["userId": user], attributes: team.isEmpty ? [:] : ["team": .string(team)])
            let context = TrackingContext(subject: EventSubject(userID: user), evaluation: evaluation)
            return Task {
                await withTrackingContext(context) { () async -> Decision in
                    await Task.yield()
                    let variant = setup.experiments.variant(of: "checkout_01", default: "control").variant
                    let attempts = setup.features.value("checkout", variable: "attempts", default: 1)
                    return (user, team, setup.features.detail("express"), variant, attempts)
                }
            }
        }
        var decisions: [Decision] = []
        for request in requests { decisions.append(await request.value) }
        return decisions
    }

    mutating func followStream(restarting former: Service) async throws {
        try begin(
            "A published change arrives without a poll",
            "The service restarts. It polls the document about once an hour, and follows a stream of the web server, which sends a "
                + "line when the document changes. Version 9 enables express for all users.")
        await shutDown(former)
        let service = try start(pollInterval: .seconds(3600))
        try await wait(for: "the stream") { servers.isFollowed ? () : nil }
        let before = service.setup.features.isEnabled("express")
        let start = ContinuousClock.now
        try publish(9, Self.bundles(), [Self.features(express: #""enabled": true"#)])
        _ = try await wait(for: 9, by: service)
        let time = (ContinuousClock.now - start).milliseconds
        let after = service.setup.features.isEnabled("express")
        let poll = service.setup.status.nextFetchTime.map { Int($0.timeIntervalSinceNow) / 60 } ?? 0
        printer.show(rows: [
            ["0 ms", "version 9 is published; express is \(before ? "on" : "off")"],
            ["\(time) ms", "version 9 is applied; express is \(after ? "on" : "off")"],
        ])
        try expect("the version at the start", service.applied.withLock { $0.first?.update.version }, is: 8)
        try expect("express before and after", [before, after], is: [false, true])
        try expect("minutes to the next poll, more than 50", poll > 50, is: true)
        printer.result("version 9 was applied after \(time) ms; the next poll is due in \(poll) min")
    }
}
