import Testing
import TrackerCore

@Suite("Layered")
struct LayeredTests {
    @Test("each field of each section is taken from the highest layer that speaks of it")
    func precedence() {
        check(\NetworkConfiguration.endpoint, ["a", "b", "c"])
        check(\NetworkConfiguration.method, [.get, .post, .get])
        check(\TrackerConfiguration.appId, ["a", "b", "c"])
        check(\TrackerConfiguration.devicePlatform, [.web, .mobile, .desktop])
        check(\TrackerConfiguration.base64encoding, [false, true, false])
        check(\TrackerConfiguration.logLevel, [.error, .debug, .verbose])
        for flag: any WritableKeyPath<TrackerConfiguration, Bool?> & Sendable in [
            \.sessionContext, \.applicationContext, \.platformContext, \.geoLocationContext, \.screenContext,
            \.screenViewAutotracking, \.screenEngagementAutotracking, \.lifecycleAutotracking, \.installAutotracking,
            \.deepLinkContext, \.exceptionAutotracking, \.diagnosticAutotracking, \.userAnonymisation,
        ] {
            check(flag, [true, false, true])
        }
        check(\TrackerConfiguration.applicationVersion, ["a", "b", "c"])
        check(\TrackerConfiguration.applicationBuild, ["a", "b", "c"])
        for text: any WritableKeyPath<SubjectConfiguration, String?> & Sendable in [
            \.userId, \.networkUserId, \.domainUserId, \.useragent, \.ipAddress, \.timezone, \.language,
        ] {
            check(text, ["a", "", "c"])
        }
        let sizes = (1...3).map { PixelSize(width: $0, height: 9) }
        check(\SubjectConfiguration.screenResolution, sizes)
        check(\SubjectConfiguration.viewport, sizes)
        check(\SubjectConfiguration.colorDepth, [8, 16, 24])
        check(\SubjectConfiguration.location, (1...3).compactMap { GeoLocation(latitude: Double($0), longitude: 0) })
        check(\SessionConfiguration.foregroundTimeout, [.seconds(1), .seconds(2), .seconds(3)])
        check(\SessionConfiguration.backgroundTimeout, [.seconds(1), .seconds(2), .seconds(3)])
        check(\EmitterConfiguration.bufferOption, [.single, .smallGroup, .largeGroup])
        for number: any WritableKeyPath<EmitterConfiguration, Int?> & Sendable in [
            \.emitRange, \.threadPoolSize, \.byteLimitGet, \.byteLimitPost, \.maxEventStoreSize,
        ] {
            check(number, [11, 12, 13])
        }
        check(\EmitterConfiguration.customRetryForStatusCodes, [[500: false], [:], [404: true]])
        check(\EmitterConfiguration.retryFailedRequests, [false, true, false])
        check(\EmitterConfiguration.serverAnonymisation, [true, false, true])
        check(\EmitterConfiguration.maxEventStoreAge, [.seconds(1), .seconds(2), .seconds(3)])
    }

    /// Sets a field in one layer after the other; `values` are those of the default, the remote and the runtime layer.
    private func check<Section: ConfigurationSection, Value: Equatable>(
        _ keyPath: WritableKeyPath<Section, Value?>, _ values: [Value],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
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
        var layered = Layered<Section>()
        expect(layered, builtIn, .builtIn)
        layered.defaults[keyPath: keyPath] = values[0]
        expect(layered, values[0], .default)
        layered.remote[keyPath: keyPath] = values[1]
        expect(layered, values[1], .remote)
        layered.set(keyPath, to: values[2])
        expect(layered, values[2], .runtime)
        layered.set(keyPath, to: nil)
        expect(layered, builtIn, .runtime)
        layered.remote = Section()
        expect(layered, builtIn, .runtime)
        layered.reset(field)
        expect(layered, values[0], .default)
        layered.defaults = Section()
        expect(layered, builtIn, .builtIn)
    }
}
