import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerConsole
import TrackerCore

@testable import TrackerConfig
@testable import TrackerCore
@testable import TrackerFeatures
import TrackerGrowthBook

/// A setup that a child has inherited, which was forked without `exec` while other threads had all locks of the setup.
@Suite("the public API in a forked child", .endsWhenItHangs, .mayBlock)
struct ForkedSetupTests {
    @Test("every call returns at once")
    func returns() async {
        await #expect(processExitsWith: .success) {
            let shop = FeatureService()
            let setup = try await shop.start(
                default: #"{"f":{"enabled":true,"variables":{"x":{"value":1}}}}"#,
                experiments: #"[{"id":"e","unit":"userId","variants":[{"name":"a","weight":1}]}]"#)
            let provider = try GrowthBookProvider(source: "https://gb.example/features")
            let transport = CurlTransport()
            guard let tracker = setup.tracker("a"), let pipeline = setup.pipeline.current else {
                preconditionFailure("the document has a tracker")
            }
            _ = tracker.track(Structured(category: "c", action: "parent"))
            let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let holder = Task.detached {
                await Threads.run {
                    Self.holding(setup, tracker, pipeline) {
                        isHeld.signal()
                        // In the child no thread ever releases these locks.
                        mayEnd.wait()
                    }
                }
            }
            await Threads.run { isHeld.wait() }
            let child = ForkedChild.start()
            if child == 0 {
                Self.callAll(setup, tracker, pipeline)
                _ = (provider.status, provider.load())
                await Self.awaitAll(setup, tracker, pipeline, transport)
                ForkedChild.end(true)
            }
            let wasRight = ForkedChild.wasRight(child)
            mayEnd.signal()
            await holder.value
            precondition(wasRight)
            // The parent goes on.
            precondition(tracker.track(Structured(category: "c", action: "parent")) != nil)
            await setup.shutdown(timeout: .zero)
        }
    }

    /// Runs code while the thread has all locks that the calls of a setup can need.
    private static func holding(_ setup: Setup, _ tracker: Tracker, _ pipeline: EventPipeline, _ body: () -> Void) {
        func hold<State>(_ locked: Locked<State>, _ body: () -> Void) { locked.withLock { _ in body() } }
        hold(tracker.state) {
            hold(tracker.namespaceEmitter.state) {
                hold(pipeline.emitters) {
                    hold(pipeline.unclaimed) {
                        hold(setup.registry.state) {
                            hold(setup.pipeline.state) {
                                hold(setup.updater.standing) { hold(setup.experiments.state, body) }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func callAll(_ setup: Setup, _ tracker: Tracker, _ pipeline: EventPipeline) {
        let event = Structured(category: "c", action: "child")
        precondition(tracker.track(event) == nil)
        precondition(tracker.scoped(to: TrackingContext()).track(event) == nil)
        precondition(tracker.counters.droppedByReason == [.forked: 2])
        tracker.pause()
        tracker.resume()
        _ = (tracker.isPaused, tracker.namespace, tracker.explanations())
        _ = try? tracker.explain(field: "subject.userId")
        tracker.onRequest { _ in }
        tracker.onDrop { _, _ in }
        tracker.add(Plugin(name: "p"))
        tracker.removePlugin(named: "p")
        tracker.addGlobalEntities(tag: "t", [])
        tracker.removeGlobalEntities(tag: "t")
        tracker.emitter.pause()
        tracker.emitter.resume()
        tracker.session.pause()
        tracker.session.resume()
        tracker.session.startNew()
        tracker.session.onStart { _ in }
        tracker.session.enterBackground()
        tracker.session.enterForeground()
        _ = (tracker.emitter.isPaused, tracker.session.isPaused, tracker.session.id)
        try? tracker.subject.set(\.userID, to: "u")
        try? tracker.emitter.set(\.emitRange, to: 3)
        tracker.emitter.reset(\.emitRange)
        _ = (tracker.network.effective, tracker.settings.effective, tracker.emitter.explain(\.emitRange))
        _ = (pipeline.unclaimedEvents, pipeline.unstagedEvents, pipeline.warnings)
        let bundle = ConfigurationBundle(
            namespace: "new", network: NetworkConfiguration(endpoint: "https://collector.example"))
        let new = try? Tracker(bundle, pipeline: pipeline)
        precondition(new != nil && new?.track(event) == nil)

        precondition(setup.tracker("a") == nil && setup.namespaces.isEmpty && setup.defaultTracker == nil)
        setup.defaultTracker = nil
        _ = (setup.unclaimedEvents, setup.unstagedEvents, setup.meta, setup.events, setup.status, setup.user)
        _ = setup.effectiveConfiguration
        setup.refresh { _ in _exit(2) }
        setup.confirmHealthy()
        precondition(!setup.removeTracker("a"))
        setup.removeAllTrackers()

        let features = setup.features
        precondition(features.isEnabled("f") && features.value("f", variable: "x", default: 0) == 1)
        _ = (features.usage, features.readFailures, features.snapshot.names, features.overrides.entries)
        _ = (features.changes(), features.explain("f", variable: "x"))
        features.onChange { _ in _exit(2) }.cancel()
        features.onEvaluation { _ in _exit(2) }.cancel()
        features.reload()
        try? features.overrides.setEnabled(false, for: "f")
        try? features.overrides.force("a", of: "e")
        try? features.overrides.remove("f")
        try? features.overrides.removeAll()
        let user = FeatureContext(userID: "u-1")
        precondition(setup.experiments.variant(of: "e", default: "d", for: user).variant == "d")
        setup.experiments.setCondition(for: "e") { _ in true }
        precondition(setup.experiments.counters == ExperimentCounters())
    }

    private static func awaitAll(
        _ setup: Setup, _ tracker: Tracker, _ pipeline: EventPipeline, _ transport: CurlTransport
    ) async {
        let event = Structured(category: "c", action: "child")
        _ = await (tracker.health, tracker.flush(), tracker.emitter.flush(), tracker.shutdown())
        let committed = try? await tracker.trackCommitted(event)
        let scoped = try? await tracker.scoped(to: TrackingContext()).trackCommitted(event)
        precondition(committed == nil && scoped == nil)
        let removed = await pipeline.removeUnsentEvents(exceptNamespaces: [])
        _ = await pipeline.shutdown()
        let request = HTTPTransportRequest(method: "GET", url: "https://collector.example", timeout: .seconds(1))
        let response = try? await transport.send(request)
        precondition(removed == 0 && response == nil)
        let outcome = await setup.refresh()
        precondition(outcome.description.contains("made before a fork"))
        _ = try? await setup.switchUser(to: "u-2")
        _ = await setup.removeUnsentEvents(exceptNamespaces: [])
        let user = FeatureContext(userID: "u-1")
        let assignment = await setup.experiments.loadedVariant(of: "e", default: "d", for: user)
        precondition(assignment.variant == "d")
        await setup.experiments.prepare(for: user)
        let forgotten = try? await setup.experiments.forget(ExperimentUnit(name: "userId", id: "u-1"))
        let page = await WebConsole(setup).respond(to: ConsoleRequest(method: "GET", path: "/console"))
        precondition(forgotten == nil && page.status == 503)
        _ = await setup.shutdown()
    }
}
