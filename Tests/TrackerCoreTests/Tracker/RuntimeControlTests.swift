import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("RuntimeControl", .endsWhenItHangs)
struct RuntimeControlTests {
    private let rig = Rig()

    @Test("each section can be read, set, cleared and reset at run time")
    func controlsAllSections() async throws {
        let tracker = try await rig.tracker {
            $0.network?.method = .get
            $0.tracker?.appID = "a"
            $0.subject = EventSubject { $0.userID = "u" }
            $0.session = SessionConfiguration { $0.foregroundTimeout = .seconds(7) }
            $0.emitter?.emitRange = 7
        }
        try check(tracker.network, \.method, configured: .get, set: .post, builtIn: .post)
        try check(tracker.settings, \.appID, configured: "a", set: "b", builtIn: TrackerConfiguration.builtIn.appID)
        try check(tracker.subject, \.userID, configured: "u", set: "v", builtIn: nil)
        try check(
            tracker.session, \.foregroundTimeout, configured: .seconds(7), set: .seconds(8), builtIn: .seconds(1800))
        try check(tracker.emitter, \.emitRange, configured: 7, set: 8, builtIn: 500)
    }

    private func check<Section, Value: Equatable>(
        _ control: RuntimeControl<Section>, _ keyPath: WritableKeyPath<Section, Value?>, configured: Value, set: Value,
        builtIn: Value?
    ) throws {
        #expect(control[dynamicMember: keyPath] == configured)
        #expect(control.explanation(keyPath).source == .default)
        try control.set(keyPath, to: set)
        #expect(control[dynamicMember: keyPath] == set)
        #expect(control.effective[keyPath: keyPath] == set)
        #expect(control.explanation(keyPath).source == .runtime)
        try control.set(keyPath, to: nil)
        #expect(control[dynamicMember: keyPath] == builtIn)
        #expect(control.explanation(keyPath).source == .runtime)
        control.reset(keyPath)
        #expect(control[dynamicMember: keyPath] == configured)
        #expect(control.explanation(keyPath).source == .default)
    }

    @Test("a setting that is changed is logged though the tracker's own log is off")
    func logsWithoutALevel() async throws {
        let tracker = try await rig.tracker { $0.tracker = nil }
        try tracker.emitter.set(\.emitRange, to: 0)
        let messages = rig.log.records.map { "\($0)" }
        #expect(messages.count == 1)
        #expect(messages.last?.hasPrefix("warning [ns] emitter.emitRange: 0 is outside") == true)
    }

    @Test("a path of requests that no URL can have is refused", arguments: ["a b", "com.acme/\r\nx", "a?b", "a#b"])
    func refusesUnusablePaths(path: String) async throws {
        let tracker = try await rig.tracker()
        let error = #expect(throws: ConfigurationError.self) {
            try tracker.network.set(\.customPostPath, to: path)
        }
        #expect(error?.place == "network.customPostPath")
        #expect(tracker.network.explanation(\.customPostPath).source == .builtIn)
    }

    @Test("an endpoint that cannot be used, or none, is refused, and the old one stays")
    func refusesUnusableEndpoints() async throws {
        let tracker = try await rig.tracker()
        for endpoint in [nil, "", "ftp://x", "http://a b"] {
            let error = #expect(throws: ConfigurationError.self) {
                try tracker.network.set(\.endpoint, to: endpoint)
            }
            #expect(error?.place == "network.endpoint")
            #expect(tracker.network.endpoint == "https://c.example")
            #expect(tracker.network.explanation(\.endpoint).source == .default)
        }
        tracker.track(1...1)
        await tracker.flush()
        #expect(rig.transport.requests.first?.url.hasPrefix("https://c.example/") == true)
    }

    @Test("resetting an endpoint that no layer below has is refused")
    func refusesResetsThatLeaveNoEndpoint() async throws {
        var layers = TrackerLayers()
        let field = try #require(NetworkConfiguration.field(named: "endpoint"))
        layers.network.set(field, from: NetworkConfiguration(endpoint: "http://runtime.example"), at: 0)
        let preparation = try Tracker.PreparedSettings(namespace: "n", layers: layers)
        let tracker = try Tracker(preparation, pipeline: rig.pipeline)
        tracker.network.reset(\.endpoint)
        #expect(tracker.network.endpoint == "http://runtime.example")
    }

    @Test("every field is explained by its name, set by it from JSON and reset")
    func worksByName() async throws {
        let tracker = try await rig.tracker()
        let all = tracker.layers.explanations
        let count =
            NetworkConfiguration.fields.count + TrackerConfiguration.fields.count + EventSubject.fields.count
            + SessionConfiguration.fields.count + EmitterConfiguration.fields.count
        #expect(Set(all.map(\.field)).count == count)
        for explanation in all { #expect(try tracker.layers.explanation(of: explanation.field) == explanation) }
        try tracker.set(field: "tracker.base64Encoding", to: JSONNode(.bool(false)))
        #expect(tracker.settings.base64Encoding == false)
        #expect(try tracker.layers.explanation(of: "tracker.base64encoding").source == .runtime)
        try tracker.set(field: "subject.userId", to: JSONNode(.null))
        #expect(try tracker.layers.explanation(of: "subject.userId").source == .runtime)
        try tracker.reset(field: "subject.userId")
        #expect(try tracker.layers.explanation(of: "subject.userId").source == .builtIn)
        try tracker.set(field: "emitter.emitRange", to: JSONNode(.int(0)))
        #expect(tracker.emitter.emitRange == 1)
    }

    @Test(
        "a name that is no field and a value of the wrong type are refused",
        arguments: ["", "subject", "subject.", "subject.x", "x.userId", "subject.userid", ".userId"])
    func refusesUnknownNames(name: String) async throws {
        let tracker = try await rig.tracker()
        let node = JSONNode(.double(1.5))
        var errors: [ConfigurationError?] = []
        errors.append(#expect(throws: ConfigurationError.self) { _ = try tracker.layers.explanation(of: name) })
        errors.append(#expect(throws: ConfigurationError.self) { try tracker.set(field: name, to: node) })
        errors.append(#expect(throws: ConfigurationError.self) { try tracker.reset(field: name) })
        #expect(errors.map { $0?.code } == [.unknownField, .unknownField, .unknownField])
        let error = #expect(throws: ConfigurationError.self) { try tracker.set(field: "emitter.emitRange", to: node) }
        #expect(error?.code == .wrongType)
        #expect(tracker.emitter.emitRange == 500)
    }
}
