import Foundation
import TrackerConfig
import TrackerCore

/// The chapter of features and experiments.
extension Demonstration {
    /// What a user gets.
    private struct Decision: Sendable {
        let user: String
        let team: String
        let express: EvaluationDetail<Bool>
        let variant: String
        let attempts: Int
    }

    private static let users: [(String, String?)] = [
        ("u-1", nil), ("u-2", "staff"), ("u-3", nil), ("u-4", nil), ("u-5", nil),
    ]
    private static let rule =
        #"{"id": "for-staff", "condition": {"team": "staff"}, "enabled": true}"#
    private static let variants = [
        #"{"name": "control", "weight": 50}"#,
        #"{"name": "fast", "weight": 50, "values": {"checkout": {"attempts": 8}}}"#,
    ]

    /// The features of a document.
    private static func features(express: String) -> String {
        #""features": {"express": {\#(express)}, "checkout": {"variables": {"attempts": {"value": 3}}}}"#
    }

    mutating func evaluateFeatures(_ service: DemoService) async throws {
        try begin(
            "A feature by a rule, and an experiment",
            "Version 8 has a feature, express, which a rule enables for the staff, and an experiment: half of the users get "
                + "the variant fast, with 8 attempts to pay in place of 3. Five requests run at once, each bound to its user. An "
                + "exposure is the event that a user got a variant.")
        timeline.show([Self.rule] + Self.variants)
        let experiment = #"{"id": "checkout_01", "variants": [\#(Self.variants.joined(separator: ", "))]}"#
        try publish(
            Self.document(
                8, Self.features(express: #""enabled": false, "rules": [\#(Self.rule)]"#),
                #""experiments": [\#(experiment)]"#))
        _ = await refresh(service)
        let decisions = await decide(service)
        // Each user's first variant is an exposure, which is an event of its own.
        tally.tracked += decisions.count
        timeline.show(
            rows: [["user", "team", "express", "variant", "attempts"]]
                + decisions.map { decision in
                    let rule = decision.express.rule.map { " (rule \($0))" } ?? ""
                    return [
                        decision.user, decision.team, (decision.express.value ? "on" : "off") + rule, decision.variant,
                        "\(decision.attempts)",
                    ]
                })
        let exposures = try await receive(from: servers.north, after: service.setup.tracker("checkout"))
        let found = exposures.compactMap(Self.exposure).sorted()
        let fast = decisions.filter { $0.variant == "fast" }
        let express = decisions.filter(\.express.value)
        var claim = Claim()
        claim.expect("users with express", express.map(\.user), is: ["u-2"])
        claim.expect("the rule", express.first?.express.rule, is: "for-staff")
        claim.expect("users of both variants", 1..<decisions.count ~= fast.count, is: true)
        claim.expect("attempts", decisions.map(\.attempts), is: decisions.map { $0.variant == "fast" ? 8 : 3 })
        claim.expect("exposures", found, is: decisions.map { "\($0.user) \($0.user) \($0.variant)" })
        try claim.check()
        timeline.result(
            "express for \(express.count) of \(decisions.count) users, fast for \(fast.count); "
                + "north has \(found.count) exposures")
    }

    /// Serves a request of each user, all at once.
    private func decide(_ service: DemoService) async -> [Decision] {
        let setup = service.setup
        let decisions = await withTaskGroup(of: Decision.self) { group in
            for (user, team) in Self.users {
                var evaluation = FeatureContext(userID: user)
                if let team { evaluation.attributes = ["team": .string(team)] }
                let context = TrackingContext(subject: EventSubject(userID: user), evaluation: evaluation)
                group.addTask {
                    await withTrackingContext(context) {
                        await Task.yield()
                        return Decision(
                            user: user, team: team ?? "", express: setup.features.detail("express"),
                            variant: setup.experiments.variant(of: "checkout_01", default: "control").variant,
                            attempts: setup.features.value("checkout", variable: "attempts", default: 1))
                    }
                }
            }
            return await group.reduce(into: [Decision]()) { $0.append($1) }
        }
        return decisions.sorted { $0.user < $1.user }
    }

    /// The user of an exposure, the user that its event is about, and the variant.
    private static func exposure(_ event: ReceivedEvent) -> String? {
        guard let data = event.selfDescribing?.data as? [String: Any], let unit = data["unitId"] as? String,
            let variant = data["variant"] as? String
        else { return nil }
        return "\(unit) \(event.parameters["uid"] ?? "?") \(variant)"
    }

    mutating func followStream(restarting former: DemoService) async throws {
        try begin(
            "A published change arrives without a poll",
            "The service restarts. It polls the document about once an hour, and follows a stream of the web server, which sends a "
                + "line when the document changes. Version 9 enables express for all users.")
        await shutDown(former)
        let visits = servers.visits()
        let service = try start(pollInterval: .seconds(3600))
        try await Patience.wait(for: "the stream") {
            var isFollowed = false
            // The setup fetches once more when its stream is open: what changes from here on, only the stream reports.
            for await visit in visits {
                if isFollowed, visit == .sawNoChange { return () }
                if visit == .followed { isFollowed = true }
            }
            return nil
        }
        let before = service.setup.features.isEnabled("express")
        let start = ContinuousClock.now
        try publish(Self.document(9, Self.features(express: #""enabled": true"#)))
        _ = try await applied(9, by: service)
        let time = ContinuousClock.now - start
        let after = service.setup.features.isEnabled("express")
        let poll = service.setup.status.nextFetchTime.map { Int($0.timeIntervalSinceNow) / 60 } ?? 0
        timeline.show(rows: [
            ["0 ms", "version 9 is published; express is \(before ? "on" : "off")"],
            ["\(time.milliseconds) ms", "version 9 is applied; express is \(after ? "on" : "off")"],
        ])
        var claim = Claim()
        claim.expect("the version at the start", service.record.all.first?.version, is: 8)
        claim.expect("express before", before, is: false)
        claim.expect("express after", after, is: true)
        claim.expect("minutes to the next poll, more than 50", poll > 50, is: true)
        try claim.check()
        timeline.result(
            "version 9 was applied after \(time.milliseconds) ms; the next poll is due in \(poll) min")
    }
}
