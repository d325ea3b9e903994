import Foundation
import TrackerConfig
import TrackerCore

/// The scene of the features and experiments that travel in the file.
struct FeatureScene {
    private static let users = ["u-1", "u-2", "u-3", "u-4", "u-5"]

    let timeline: Timeline
    /// Where the file server's files are.
    let directory: String
    let fileServer: String
    /// The collector's name, address and events.
    let collector: (name: String, url: String, store: Collector)

    func run() async throws {
        timeline.chapter(
            "The same file carries features and experiments: checkout is on, and half of the users get it fast")
        try publish(1, retryLimit: 3, weights: (50, 50))
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/feature-cache"
        options.stateDirectory = "\(directory)/feature-state"
        options.experiments.exposureNamespaces = ["shop"]
        let setup = try Setup(
            remote: RemoteConfiguration(endpoint: "\(fileServer)/shop.json"), options: options
        ) { [timeline] in timeline.tell($0) }
        await setup.refresh()
        let retryLimit = Variable(setup.features, "checkout", variable: "retryLimit", default: 1)
        timeline.tell(
            .service,
            "checkout is \(setup.features.isEnabled("checkout") ? "on" : "off"), its retryLimit \(retryLimit.value)")
        let observation = setup.features.onChange(of: "checkout", variable: "retryLimit", as: Int.self) {
            [timeline] change in
            guard let old = change.old, let new = change.new else { return }
            timeline.tell(.setup, "checkout.retryLimit changed from \(old) to \(new)")
        }
        showUsers(setup)
        await showExposures(setup)

        timeline.chapter(
            "A tester overrides the limit; then all users get the control variant, but those who had one keep it")
        try setup.features.overrides.set(9, for: "checkout", variable: "retryLimit")
        let explanation = setup.features.explain("checkout", variable: "retryLimit")
        timeline.tell(.service, "checkout.retryLimit is \(explanation.summary)")
        try setup.features.overrides.remove("checkout", variable: "retryLimit")
        try publish(2, retryLimit: 4, weights: (100, 0))
        timeline.tell(.setup, "refresh: \(await setup.refresh())")
        timeline.tell(.service, "the variable at hand reads \(retryLimit.value)")
        showUsers(setup)
        await showExposures(setup)
        observation.cancel()

        timeline.chapter("Rules turn express on for the staff and for a growing share of the others")
        try publish(3, retryLimit: 4, weights: (100, 0), express: 0.4)
        timeline.tell(.setup, "refresh: \(await setup.refresh())")
        showExpress(setup)
        try publish(4, retryLimit: 4, weights: (100, 0), express: 0.8)
        timeline.tell(.setup, "refresh: \(await setup.refresh())")
        showExpress(setup)
        await setup.shutdown(timeout: .seconds(2))
    }

    private func showUsers(_ setup: Setup) {
        let lines = Self.users.map { user in
            let context = FeatureContext(userID: user)
            let assignment = setup.experiments.variant(of: "checkout_01", default: "control", for: context)
            let limit = setup.features.detail("checkout", variable: "retryLimit", default: 1, for: context)
            return "\(user)  \(assignment.variant.padding(toLength: 8, withPad: " ", startingAt: 0)) "
                + "(\(assignment.reason))".padding(toLength: 11, withPad: " ", startingAt: 0)
                + " retryLimit \(limit.value) (\(limit.source))"
        }
        timeline.tell(.service, "experiment checkout_01:", lines)
    }

    /// The users, one of them of the staff, with what decided for each.
    private func showExpress(_ setup: Setup) {
        let lines = Self.users.map { user in
            var context = FeatureContext(userID: user)
            if user == "u-2" { context.attributes = ["email": "kim@example.com"] }
            let express = setup.features.detail("express", for: context)
            let rule = express.rule.map { ", rule \($0)" } ?? ""
            return "\(user)  \(express.value ? "on " : "off") (\(express.reason)\(rule))"
        }
        timeline.tell(.service, "express; u-2 is kim@example.com:", lines)
    }

    private func showExposures(_ setup: Setup) async {
        await setup.tracker("shop")?.flush(timeout: .seconds(5))
        let lines = collector.store.take().map(\.summary)
        timeline.tell(
            .collector, lines.isEmpty ? "\(collector.name) received nothing" : "\(collector.name) received:", lines)
    }

    private func publish(
        _ version: Int, retryLimit: Int, weights: (control: Int, fast: Int), express coverage: Double? = nil
    ) throws {
        let rules = coverage.map { coverage in
            [
                #"{"id": "staff", "condition": {"email": {"$regex": "@example\\.com$"}}, "enabled": true}"#,
                #"{"id": "ramp", "unit": "userId", "coverage": \#(coverage), "enabled": true}"#,
            ]
        }
        let checkout = #""checkout": {"enabled": true, "variables": {"retryLimit": {"value": \#(retryLimit)}}}"#
        let express = rules.map {
            #", "express": {"enabled": false, "rules": [\#($0.joined(separator: ", "))]}"#
        }
        let features = "{\(checkout)\(express ?? "")}"
        let variants = [
            #"{"name": "control", "weight": \#(weights.control)}"#,
            #"{"name": "fast", "weight": \#(weights.fast), "values": {"checkout": {"retryLimit": 8}}}"#,
        ]
        let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
        let document = """
            {
              "$schema": "\(schema)",
              "configurationVersion": \(version),
              "configurationBundle": [
                {"namespace": "shop", "networkConfiguration": {"endpoint": "\(collector.url)"}}
              ],
              "features": \(features),
              "experiments": [
                {"id": "checkout_01", "sticky": true, "variants": [\(variants.joined(separator: ", "))]}
              ]
            }
            """
        try document.write(toFile: "\(directory)/files/shop.json", atomically: true, encoding: .utf8)
        timeline.tell(
            .file, "version \(version) of another file is published",
            rules.map { ["features.express.rules"] + $0 } ?? ["features \(features)", "checkout_01"] + variants)
    }
}
