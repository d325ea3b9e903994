import Testing
import TrackerCore

@Suite("Layered")
struct LayeredTests {
    @Test("each field of each section is taken from the highest layer that speaks of it")
    func precedence() throws {
        try check(\NetworkConfiguration.endpoint, ["a", "b", "c"])
        try check(\NetworkConfiguration.method, [.get, .post, .get])
        try check(\TrackerConfiguration.appID, ["a", "b", "c"])
        try check(\TrackerConfiguration.devicePlatform, [.web, .mobile, .desktop])
        try check(\TrackerConfiguration.base64Encoding, [false, true, false])
        try check(\TrackerConfiguration.logLevel, [.error, .debug, .trace])
        for flag: any WritableKeyPath<TrackerConfiguration, Bool?> & Sendable in [
            \.sessionContext, \.applicationContext, \.platformContext, \.geoLocationContext, \.screenContext,
            \.screenViewAutotracking, \.screenEngagementAutotracking, \.lifecycleAutotracking, \.installAutotracking,
            \.deepLinkContext, \.immersiveSpaceContext, \.exceptionAutotracking, \.diagnosticAutotracking,
            \.userAnonymisation,
        ] {
            try check(flag, [true, false, true])
        }
        try check(\TrackerConfiguration.applicationVersion, ["a", "b", "c"])
        try check(\TrackerConfiguration.applicationBuild, ["a", "b", "c"])
        for text: any WritableKeyPath<SubjectConfiguration, String?> & Sendable in [
            \.userID, \.networkUserID, \.domainUserID, \.userAgent, \.ipAddress, \.timeZone, \.language,
        ] {
            try check(text, ["a", "", "c"])
        }
        let sizes = (1...3).map { PixelSize(width: $0, height: 9) }
        try check(\SubjectConfiguration.screenResolution, sizes)
        try check(\SubjectConfiguration.viewport, sizes)
        try check(\SubjectConfiguration.colorDepth, [8, 16, 24])
        try check(
            \SubjectConfiguration.location, (1...3).compactMap { GeoLocation(latitude: Double($0), longitude: 0) })
        try check(\SessionConfiguration.foregroundTimeout, [.seconds(1), .seconds(2), .seconds(3)])
        try check(\SessionConfiguration.backgroundTimeout, [.seconds(1), .seconds(2), .seconds(3)])
        try check(\EmitterConfiguration.bufferOption, [.single, .smallGroup, .largeGroup])
        for number: any WritableKeyPath<EmitterConfiguration, Int?> & Sendable in [
            \.emitRange, \.threadPoolSize, \.byteLimitGet, \.byteLimitPost, \.maxEventStoreSize,
            \.maxEventStoreBytes,
        ] {
            try check(number, [11, 12, 13])
        }
        try check(\EmitterConfiguration.customRetryForStatusCodes, [[500: false], [:], [404: true]])
        try check(\EmitterConfiguration.retryFailedRequests, [false, true, false])
        try check(\EmitterConfiguration.serverAnonymisation, [true, false, true])
        try check(\EmitterConfiguration.maxEventStoreAge, [.seconds(1), .seconds(2), .seconds(3)])
        try check(\EmitterConfiguration.maxRetryDelay, [.seconds(1), .seconds(2), .seconds(3)])
    }

    /// Sets a field in one layer after the other; `values` are those of the default, the remote and the runtime layer.
    private func check<Section: ConfigurationSection, Value: Equatable>(
        _ keyPath: WritableKeyPath<Section, Value?>, _ values: [Value],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard
            let field = Section.fields.first(where: { field in
                var section = Section()
                section[keyPath: keyPath] = values[0]
                return field.isSet(section)
            })
        else {
            Issue.record("no field has the key path \(keyPath)", sourceLocation: sourceLocation)
            return
        }
        func expect(_ layered: Layered<Section>, _ value: Value?, _ layer: ConfigurationLayer) {
            #expect(layered.effective[keyPath: keyPath] == value, "\(field.name)", sourceLocation: sourceLocation)
            #expect(layered.source(field) == layer, "\(field.name)", sourceLocation: sourceLocation)
            // No other field is touched.
            var rest = layered.effective
            rest[keyPath: keyPath] = Section.builtIn[keyPath: keyPath]
            #expect(rest == .builtIn, "\(field.name)", sourceLocation: sourceLocation)
        }
        let builtIn = Section.builtIn[keyPath: keyPath]
        var (defaults, remote) = (Section(), Section())
        defaults[keyPath: keyPath] = values[0]
        remote[keyPath: keyPath] = values[1]
        var layered = Layered<Section>()
        expect(layered, builtIn, .builtIn)
        layered.adopt(defaults: SharedSection(defaults), remote: nil)
        expect(layered, values[0], .default)
        layered.adopt(defaults: SharedSection(defaults), remote: SharedSection(remote))
        expect(layered, values[1], .remote)
        try layered.set(keyPath, to: values[2], at: 0)
        expect(layered, values[2], .runtime)
        try layered.set(keyPath, to: nil, at: 0)
        expect(layered, builtIn, .runtime)
        layered.adopt(defaults: SharedSection(defaults), remote: nil)
        expect(layered, builtIn, .runtime)
        layered.reset(field)
        expect(layered, values[0], .default)
        layered.adopt(defaults: nil, remote: SharedSection())
        expect(layered, builtIn, .builtIn)
    }
}
