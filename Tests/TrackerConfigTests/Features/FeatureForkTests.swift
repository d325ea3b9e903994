import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerFeatures

/// A setup that a forked child has inherited.
@Suite("Features in a forked child", .endsWhenItHangs, .mayBlock)
struct FeatureForkTests {
    @Test("reads go on and nothing else hangs, even where a change was under way at the fork")
    func forked() async {
        await #expect(processExitsWith: .success) {
            let shop = FeatureService()
            let setup = try await shop.start(default: #"{"f":{"enabled":true,"variables":{"x":{"value":1}}}}"#)
            let features = setup.features
            let (fresh, observation) = (Variable(features, "f", variable: "x", default: 0), features.onChange { _ in })
            let parent = getpid()
            let hook = UsageRegistry.Hook(interval: 1, finish: {}) { _ in
                // The locks on the way to a hook may be held by threads that the child does not have.
                if getpid() != parent { _exit(3) }
            }
            _ = features.store.usage.add(hook)
            let evaluations = features.onEvaluation { _ in }
            let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let wasRight = Locked(false)
            await Threads.run(2) { thread in
                guard thread == 0 else {
                    // In the child nobody ever lets go of this lock.
                    features.store.change { _ in
                        isHeld.signal()
                        mayEnd.wait()
                    }
                    return
                }
                try? isHeld.wait(until: "another thread has the lock")
                let child = ForkedChild.start()
                if child == 0 { ForkedChild.end(Self.isRight(features, fresh, [observation, evaluations])) }
                wasRight.withLock { $0 = ForkedChild.wasRight(child) }
                mayEnd.signal()
            }
            #expect(wasRight.withLock { $0 })
            try features.overrides.set(2, for: "f", variable: "x")
            #expect(fresh.value == 2)
            await setup.shutdown(timeout: .zero)
        }
    }

    private static func isRight(
        _ features: Features, _ variable: Variable<Int>, _ observations: [Subscription]
    ) -> Bool {
        var isRight =
            features.isEnabled("f") && features.value("f", variable: "x", default: 0) == 1 && variable.value == 1
        isRight = isRight && features.value("f", variable: "x", default: "wrong type") == "wrong type"
        isRight = isRight && features.overrides.features.isEmpty && features.overrides.variants.isEmpty
        do throws(FeatureError) {
            try features.overrides.set(2, for: "f", variable: "x")
            isRight = false
        } catch {
            isRight = isRight && error.code == .notKept
        }
        features.reload()
        for observation in observations { observation.cancel() }
        features.onChange { _ in _exit(2) }.cancel()
        _ = features.changes()
        features.stop()
        return isRight && variable.value == 1
    }
}
