import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

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

    @Test("base64encoding has a second name, and an unknown name is no field")
    func findsFieldsByName() {
        #expect(TrackerConfiguration.field(named: "base64Encoding")?.name == "base64encoding")
        #expect(TrackerConfiguration.field(named: "Base64encoding") == nil)
    }

    @Test(
        "a buffer option is read by its name or its synonym, and an unknown one is told of",
        arguments: [
            ("Single", BufferOption.single, 1), ("SmallGroup", .smallGroup, 10), ("DefaultGroup", .smallGroup, 10),
            ("LargeGroup", .largeGroup, 25), ("HeavyGroup", .largeGroup, 25), ("single", nil, 0), ("", nil, 0),
        ])
    func readsBufferOptions(text: String, option: BufferOption?, size: Int) throws {
        var warnings: [String] = []
        let node = JSONNode(.string(text))
        let read = try BufferOption.read(node) { warnings.append($0) }
        #expect(read == option)
        let words = "Single, SmallGroup, LargeGroup, DefaultGroup, HeavyGroup"
        #expect(warnings == (option == nil ? ["'\(text)' is none of \(words); the setting stays unset"] : []))
        if let option { #expect(option.size == size) }
    }
}

@Suite("bounds of numbers", .endsWhenItHangs)
struct BoundsTests {
    /// A number of a section, with its bounds; durations count in seconds.
    struct Bounded: Sendable, CustomTestStringConvertible {
        let name: String
        let lower: Int
        let upper: Int
        let set: @Sendable (Tracker, Int) throws -> Void
        let put: @Sendable (inout ConfigurationBundle, Int) -> Void
        let get: @Sendable (Tracker) -> Int?

        var testDescription: String { name }

        static func emitter(
            _ name: String, _ keyPath: any WritableKeyPath<EmitterConfiguration, Int?> & Sendable,
            _ bounds: ClosedRange<Int>
        ) -> Bounded {
            Bounded(
                name: name, lower: bounds.lowerBound, upper: bounds.upperBound,
                set: { try $0.emitter.set(keyPath, to: $1) },
                put: { $0.emitter?[keyPath: keyPath] = $1 },
                get: { $0.emitter[dynamicMember: keyPath] })
        }

        static func session(
            _ name: String, _ keyPath: any WritableKeyPath<SessionConfiguration, Duration?> & Sendable
        ) -> Bounded {
            Bounded(
                name: name, lower: 1, upper: 315_360_000,
                set: { try $0.session.set(keyPath, to: .seconds($1)) },
                put: { bundle, value in bundle.session = SessionConfiguration { $0[keyPath: keyPath] = .seconds(value) }
                },
                get: { ($0.session[dynamicMember: keyPath]?.components.seconds).map(Int.init) })
        }
    }

    static let all: [Bounded] = [
        .emitter("emitRange", \.emitRange, 1...100_000),
        .emitter("threadPoolSize", \.threadPoolSize, 1...64),
        .emitter("byteLimitGet", \.byteLimitGet, 1_000...100_000_000),
        .emitter("byteLimitPost", \.byteLimitPost, 1_000...100_000_000),
        .emitter("maxEventStoreSize", \.maxEventStoreSize, 1...100_000_000),
        .emitter("maxEventStoreBytes", \.maxEventStoreBytes, 1_000...1_099_511_627_776),
        .session("foregroundTimeout", \.foregroundTimeout),
        .session("backgroundTimeout", \.backgroundTimeout),
        Bounded(
            name: "maxEventStoreAge", lower: 1, upper: 315_360_000,
            set: { try $0.emitter.set(\.maxEventStoreAge, to: .seconds($1)) },
            put: { $0.emitter?.maxEventStoreAge = .seconds($1) },
            get: { ($0.emitter.maxEventStoreAge?.components.seconds).map(Int.init) }),
        Bounded(
            name: "maxRetryDelay", lower: 1, upper: 86_400,
            set: { try $0.emitter.set(\.maxRetryDelay, to: .seconds($1)) },
            put: { $0.emitter?.maxRetryDelay = .seconds($1) },
            get: { ($0.emitter.maxRetryDelay?.components.seconds).map(Int.init) }),
    ]

    @Test("a number is used as it is within its bounds and brought to the nearest beyond them", arguments: all)
    func clamps(number: Bounded) async throws {
        let cases = [
            (number.lower - 1, number.lower), (number.lower, number.lower), (number.upper, number.upper),
            (number.upper + 1, number.upper), (Int.max, number.upper),
        ]
        for (value, expected) in cases {
            let rig = Rig()
            let tracker = try await rig.tracker("ns") { number.put(&$0, value) }
            #expect(number.get(tracker) == expected, "\(number.name) = \(value) in a bundle")
            #expect(rig.log.contains("is outside") == (value != expected), "\(number.name) = \(value) in a bundle")
            let other = Rig()
            let changed = try await other.tracker()
            try number.set(changed, value)
            #expect(number.get(changed) == expected, "\(number.name) = \(value) at run time")
            #expect(other.log.contains("is outside") == (value != expected), "\(number.name) = \(value) at run time")
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
