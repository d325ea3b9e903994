import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("ConfigurationSection", .endsWhenItHangs)
struct ConfigurationSectionTests {
    @Test("every property of a section is listed among its fields, once")
    func fieldsAreComplete() {
        check(NetworkConfiguration.self)
        check(TrackerConfiguration.self)
        #expect(Set(EventSubject.fields.map(\.name)).count == EventSubject.Fields.all.rawValue.nonzeroBitCount)
        check(SessionConfiguration.self)
        check(EmitterConfiguration.self)
    }

    private func check<Section: ConfigurationSection>(_: Section.Type) {
        let properties = Mirror(reflecting: Section()).children.compactMap(\.label).filter {
            $0 != "valuesWithoutEffect"
        }
        let fields = Section.fields.filter { $0.caveat?.contains("no application on a device") != true }
        // Documents say `userId` and `useragent` where Swift says `userID` and `userAgent`.
        #expect(fields.map { $0.name.lowercased() }.sorted() == properties.map { $0.lowercased() }.sorted())
        #expect(Set(fields.map { "\($0.keyPath)" }).count == properties.count)
        for field in Section.fields { #expect(Section.field(named: field.name)?.name == field.name) }
    }

    @Test("the built-in values are those of the documentation")
    func builtInValues() {
        #expect(NetworkConfiguration.builtIn.method == .post)
        #expect(NetworkConfiguration.builtIn.timeout == .seconds(30))
        #expect(TrackerConfiguration.builtIn.devicePlatform == .server)
        #expect(TrackerConfiguration.builtIn.base64Encoding == true)
        #expect(TrackerConfiguration.builtIn.logLevel == .off)
        #expect(TrackerConfiguration.builtIn.appID?.isEmpty == false)
        for flag in [
            \TrackerConfiguration.sessionContext, \.applicationContext, \.platformContext, \.geoLocationContext,
            \.diagnosticAutotracking,
        ] {
            #expect(TrackerConfiguration.builtIn[keyPath: flag] == false)
        }
        #expect(TrackerConfiguration.builtIn.userAnonymisation == false)
        #expect(EventSubject.builtIn == EventSubject())
        #expect(SessionConfiguration.builtIn.foregroundTimeout == .seconds(1800))
        #expect(SessionConfiguration.builtIn.backgroundTimeout == .seconds(1800))
        let emitter = EmitterConfiguration.builtIn
        #expect(emitter.bufferOption == .smallGroup)
        #expect(emitter.emitRange == 500)
        #expect(emitter.threadPoolSize == 1)
        #expect(emitter.byteLimitGet == 40_000)
        #expect(emitter.byteLimitPost == 1_000_000)
        #expect(emitter.customRetryForStatusCodes == [:])
        #expect(emitter.retryFailedRequests == true)
        #expect(emitter.serverAnonymisation == false)
        #expect(emitter.maxEventStoreSize == 100_000)
        #expect(emitter.maxEventStoreAge == .seconds(2_592_000))
        #expect(emitter.maxEventStoreBytes == 536_870_912)
        #expect(emitter.maxRetryDelay == .seconds(60))
    }
}

@Suite("bounds of numbers", .endsWhenItHangs)
struct BoundsTests {
    @Test("a number is used as it is within its bounds and brought to the nearest beyond them, also at run time")
    func clamps() async throws {
        let rig = Rig()
        let tracker = try await rig.tracker()
        for (value, expected) in [(1, 1), (100_000, 100_000), (0, 1), (100_001, 100_000), (Int.max, 100_000)] {
            try tracker.emitter.set(\.emitRange, to: value)
            #expect(tracker.emitter.emitRange == expected)
            #expect(rig.log.contains("is outside") == ![1, 100_000].contains(value))
        }
    }

    @Test("a fraction of a second counts where bounds are durations, and a colour depth is brought into 1…64")
    func clampsFractions() async throws {
        let tracker = try await Rig().tracker()
        for (depth, expected) in [(0, 1), (64, 64), (65, 64)] {
            try tracker.subject.set(\.colorDepth, to: depth)
            #expect(tracker.subject.colorDepth == expected)
        }
        try tracker.session.set(\.foregroundTimeout, to: .milliseconds(999))
        #expect(tracker.session.foregroundTimeout == .seconds(1))
        try tracker.session.set(\.foregroundTimeout, to: .milliseconds(1500))
        #expect(tracker.session.foregroundTimeout == .milliseconds(1500))
    }
}
