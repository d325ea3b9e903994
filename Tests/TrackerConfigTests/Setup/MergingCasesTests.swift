import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Cases 18 to 32 of the semantics: what a tracker's settings are.
@Suite("How documents, defaults and code are merged", .endsWhenItHangs)
struct MergingCasesTests {
    private let service = Service()

    private func bundle(_ configure: (inout ConfigurationBundle) -> Void = { _ in }) -> ConfigurationBundle {
        var bundle = ConfigurationBundle(
            namespace: "a", network: NetworkConfiguration(endpoint: "default.example"))
        configure(&bundle)
        return bundle
    }

    /// Serves one document at the start and each of the others with a refresh; returns the setup.
    private func started(_ bundles: String..., default defaults: [ConfigurationBundle] = []) async throws -> Setup {
        service.serve(DocumentText.document(1, bundles.joined(separator: ",")))
        let setup = try await service.started(default: defaults)
        return setup
    }

    private func refresh(_ setup: Setup, _ version: Int, _ bundles: String...) async {
        service.serve(DocumentText.document(version, bundles.joined(separator: ",")))
        let outcome = await setup.refresh()
        guard outcome.kind == .applied, outcome.version == version else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("case 18: default userId and domainUserId, remote domainUserId: userId comes from the default")
    func case18() async throws {
        let setup = try await started(
            DocumentText.bundle("a", #""subject":{"domainUserId":"remote-d"}"#),
            default: [bundle { $0.subject = EventSubject { ($0.userID, $0.domainUserID) = ("u", "d") } }])
        let tracker = try #require(setup.tracker("a"))
        #expect(tracker.subject.effective.userID == "u")
        #expect(tracker.subject.effective.domainUserID == "remote-d")
        await tracker.deliver()
        #expect(service.delivered.map { [$0["uid"], $0["duid"]] } == [["u", "remote-d"]])
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 19: a tracker section only in the default is inherited")
    func case19() async throws {
        let setup = try await started(
            DocumentText.bundle(), default: [bundle { $0.tracker = TrackerConfiguration { $0.appID = "shop" } }])
        let tracker = try #require(setup.tracker("a"))
        #expect(tracker.settings.explanation(\.appID).short == "default: shop")
        await tracker.deliver()
        #expect(service.delivered.map { $0["aid"] } == ["shop"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 20: remote false and empty values win over the default")
    func case20() async throws {
        let setup = try await started(
            DocumentText.bundle(
                "a", #""tracker":{"sessionContext":false}"#, #""subject":{"userId":""}"#,
                #""emitter":{"customRetryForStatusCodes":{}}"#),
            default: [
                bundle {
                    $0.tracker = TrackerConfiguration { $0.sessionContext = true }
                    $0.subject = EventSubject { $0.userID = "u" }
                    $0.emitter = EmitterConfiguration { $0.customRetryForStatusCodes = [403: true] }
                }
            ])
        let tracker = try #require(setup.tracker("a"))
        #expect(tracker.settings.explanation(\.sessionContext).short == "remote 1: false")
        #expect(tracker.subject.explanation(\.userID).short == "remote 1: ")
        #expect(tracker.emitter.effective.customRetryForStatusCodes == [:])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "case 21: a bundle without network removes its tracker and is not listed, whatever the default says",
        arguments: [#""subject":{"userId":"u"}"#, #""network":null"#])
    func case21(section: String) async throws {
        let setup = try await started(DocumentText.bundle(), default: [bundle()])
        #expect(setup.namespaces == ["a"])
        await refresh(setup, 2, DocumentText.bare("a", section), DocumentText.bundle("b"))
        #expect(setup.namespaces == ["b"])
        #expect(service.updates.last?.namespaces == ["b"])
        #expect(service.updates.last?.trackers.keys.sorted() == ["b"])
        await setup.shutdown(timeout: .zero)

        // A process that starts from that document in the cache builds none either.
        service.serve(status: 500)
        try await service.run(default: [bundle()]) { #expect($0.namespaces == ["b"]) }
        #expect(service.updates.last?.state == .cached)
    }

    @Test("case 22: a namespace absent from the newer document is alive and not listed")
    func case22() async throws {
        let setup = try await started(
            DocumentText.bundle("a", #""subject":{"userId":"u"}"#), DocumentText.bundle("b"))
        let tracker = try #require(setup.tracker("a"))
        await refresh(setup, 2, DocumentText.bundle("b"))
        #expect(service.updates.last?.namespaces == ["b"])
        #expect(setup.namespaces == ["a", "b"])
        #expect(setup.tracker("a") === tracker)
        #expect(service.updates.last?.warnings.map(\.place) == ["a"])
        await tracker.deliver()
        #expect(service.delivered.map { $0["uid"] } == ["u"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 23: two bundles make two trackers, both listed in the document's order")
    func case23() async throws {
        let setup = try await started(DocumentText.bundle("b"), DocumentText.bundle("a"))
        #expect(setup.namespaces == ["a", "b"])
        #expect(service.updates.map(\.namespaces) == [["b", "a"]])
        #expect(setup.tracker("a") !== setup.tracker("b"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 24: the first tracker is the default one; removed, there is none until another is made")
    func case24() async throws {
        let setup = try await started(DocumentText.bundle("b"), DocumentText.bundle("a"))
        #expect(setup.defaultTracker?.namespace == "b")
        #expect(setup.removeTracker("b"))
        #expect(setup.defaultTracker == nil)
        #expect(!setup.removeTracker("b"))
        await refresh(setup, 2, DocumentText.bundle("a"), DocumentText.bundle("c"))
        #expect(setup.defaultTracker?.namespace == "c")
        setup.defaultTracker = setup.tracker("a")
        #expect(setup.defaultTracker?.namespace == "a")
        await refresh(setup, 3, DocumentText.bare("a"), DocumentText.bundle("c"))
        #expect(setup.defaultTracker == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 25: configured again, the tracker is the same object with the new endpoint in use")
    func case25() async throws {
        let setup = try await started(DocumentText.bundle("a", at: "one.example"))
        let tracker = try #require(setup.tracker("a"))
        await refresh(setup, 2, DocumentText.bundle("a", at: "two.example"))
        #expect(setup.tracker("a") === tracker)
        #expect(service.updates.last?.trackers["a"] === tracker)
        await tracker.deliver()
        let urls = service.transport.requests.filter { $0.method == "POST" }.map(\.url)
        #expect(urls == ["https://two.example/com.snowplowanalytics.snowplow/tp2"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 26: removed and configured again, the tracker is a new object and the old one drops")
    func case26() async throws {
        let setup = try await started(DocumentText.bundle())
        let old = try #require(setup.tracker("a"))
        await refresh(setup, 2, DocumentText.bare("a"))
        await refresh(setup, 3, DocumentText.bundle())
        let new = try #require(setup.tracker("a"))
        #expect(new !== old)
        #expect(old.track(Structured(category: "cart", action: "old")) == nil)
        #expect(old.counters.droppedByReason == [.removed: 1])
        await new.deliver("new")
        #expect(service.delivered.map { $0["se_ac"] } == ["new"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 27: a runtime userId is kept over a refresh")
    func case27() async throws {
        let setup = try await started(DocumentText.bundle("a", #""subject":{"userId":"one"}"#))
        let tracker = try #require(setup.tracker("a"))
        try tracker.subject.set(\.userID, to: "runtime")
        await refresh(setup, 2, DocumentText.bundle("a", #""subject":{"userId":"two","language":"en"}"#))
        #expect(tracker.subject.explanation(\.userID).short == "runtime: runtime")
        await tracker.deliver()
        #expect(service.delivered.map { [$0["uid"], $0["lang"]] } == [["runtime", "en"]])
        tracker.subject.reset(\.userID)
        #expect(tracker.subject.explanation(\.userID).short == "remote 2: two")
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 28: a userId cleared at run time stays cleared over a remote value")
    func case28() async throws {
        let setup = try await started(
            DocumentText.bundle("a", #""subject":{"userId":"one"}"#),
            default: [bundle { $0.subject = EventSubject { $0.userID = "default" } }])
        let tracker = try #require(setup.tracker("a"))
        try tracker.subject.set(\.userID, to: nil)
        await refresh(setup, 2, DocumentText.bundle("a", #""subject":{"userId":"two"}"#))
        #expect(tracker.subject.effective.userID == nil)
        #expect(tracker.subject.explanation(\.userID).short == "runtime: nil")
        await tracker.deliver()
        #expect(service.delivered.count == 1)
        #expect(service.delivered.first?["uid"] == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 29: a paused emitter stays paused over a refresh and stores events; resume sends them")
    func case29() async throws {
        let setup = try await started(DocumentText.bundle("a", at: "one.example"))
        let tracker = try #require(setup.tracker("a"))
        tracker.emitter.pause()
        await refresh(setup, 2, DocumentText.bundle("a", at: "two.example", #""emitter":{"bufferOption":"Single"}"#))
        #expect(tracker.emitter.isPaused)
        _ = try await tracker.trackCommitted(Structured(category: "cart", action: "add"))
        await tracker.flush()
        #expect(service.delivered.isEmpty)
        #expect(tracker.counters.stored == 1)
        tracker.emitter.resume()
        await tracker.flush()
        #expect(service.delivered.map { $0["se_ac"] } == ["add"])
        #expect(tracker.counters.stored == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 30: removing a tracker drops its runtime layer")
    func case30() async throws {
        let setup = try await started(DocumentText.bundle("a", #""subject":{"userId":"one"}"#))
        let old = try #require(setup.tracker("a"))
        try old.subject.set(\.userID, to: "runtime")
        old.emitter.pause()
        #expect(setup.removeTracker("a"))
        await refresh(setup, 2, DocumentText.bundle("a", #""subject":{"userId":"two"}"#))
        let tracker = try #require(setup.tracker("a"))
        #expect(tracker.subject.explanation(\.userID).short == "remote 2: two")
        #expect(!tracker.emitter.isPaused)
        // The old handle has no power over the new tracker.
        try? old.subject.set(\.userID, to: "ghost")
        old.emitter.pause()
        await tracker.deliver()
        #expect(service.delivered.map { $0["uid"] } == ["two"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 31: equal effective settings leave the session and the emitter as they were")
    func case31() async throws {
        let section = #""tracker":{"sessionContext":true}"#
        let setup = try await started(DocumentText.bundle("a", section))
        let tracker = try #require(setup.tracker("a"))
        await tracker.deliver()
        let session = try #require(tracker.session.id)
        await refresh(setup, 2, DocumentText.bundle("a", section))
        await tracker.deliver()
        #expect(tracker.session.id == session)
        #expect(tracker.counters.tracked == 2)
        #expect(tracker.counters.requests == 2)
        #expect(tracker.counters.retried == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("case 32: a field dropped by the newer document falls to the default or the built-in value")
    func case32() async throws {
        let setup = try await started(
            DocumentText.bundle(
                "a", #""subject":{"userId":"one","language":"en"}"#, #""emitter":{"emitRange":7,"byteLimitPost":5000}"#),
            default: [
                bundle {
                    $0.subject = EventSubject { $0.userID = "default" }
                    $0.emitter = EmitterConfiguration { $0.emitRange = 9 }
                }
            ])
        let tracker = try #require(setup.tracker("a"))
        #expect(tracker.emitter.effective.emitRange == 7)
        await refresh(setup, 2, DocumentText.bundle("a", #""subject":{}"#))
        #expect(tracker.subject.explanation(\.userID).short == "default: default")
        #expect(tracker.subject.explanation(\.language).short == "builtin: nil")
        #expect(tracker.emitter.explanation(\.emitRange).short == "default: 9")
        #expect(tracker.emitter.effective.byteLimitPost == 1_000_000)
        await tracker.deliver()
        #expect(service.delivered.map { [$0["uid"], $0["lang"]] } == [["default", nil]])
        await setup.shutdown(timeout: .zero)
    }
}
