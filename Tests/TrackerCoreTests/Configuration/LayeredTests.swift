import TestSupport
import Testing
import TrackerCore

@Suite("Layered", .endsWhenItHangs)
struct LayeredTests {
    @Test("a field of a section is taken from the highest layer that has a value, and no other field is touched")
    func precedence() throws {
        try check(\NetworkConfiguration.endpoint, ["a", "b", "c"])
        try check(\NetworkConfiguration.method, [.get, .post, .get])
        try check(\TrackerConfiguration.appID, ["a", "b", "c"])
        try check(\TrackerConfiguration.sessionContext, [true, false, true])
        try check(\TrackerConfiguration.base64Encoding, [false, true, false])
        try check(\TrackerConfiguration.logLevel, [.error, .debug, .trace])
        try check(\EventSubject.userID, ["a", "", "c"])
        try check(\EventSubject.viewport, (1...3).map { PixelSize(width: $0, height: 9) })
        try check(
            \EventSubject.location, (1...3).compactMap { GeoLocation(latitude: Double($0), longitude: 0) })
        try check(\SessionConfiguration.foregroundTimeout, [.seconds(1), .seconds(2), .seconds(3)])
        try check(\EmitterConfiguration.bufferOption, [.single, .smallGroup, .largeGroup])
        try check(\EmitterConfiguration.emitRange, [11, 12, 13])
        try check(\EmitterConfiguration.customRetryForStatusCodes, [[500: false], [:], [404: true]])
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
                return field.json(section) != nil
            })
        else {
            Issue.record("no field has the key path \(keyPath)", sourceLocation: sourceLocation)
            return
        }
        func expect(_ layered: Layered<Section>, _ value: Value?, _ layer: ConfigurationLayer) {
            #expect(layered.effective[keyPath: keyPath] == value, "\(field.name)", sourceLocation: sourceLocation)
            #expect(layered.candidates(field)[0].layer == layer, "\(field.name)", sourceLocation: sourceLocation)
            // No other field is touched.
            var rest = layered.effective
            rest[keyPath: keyPath] = Section.builtIn[keyPath: keyPath]
            #expect(rest == .builtIn, "\(field.name)", sourceLocation: sourceLocation)
        }
        let builtIn = Section.builtIn[keyPath: keyPath]
        var (defaults, remote, runtime) = (Section(), Section(), Section())
        defaults[keyPath: keyPath] = values[0]
        remote[keyPath: keyPath] = values[1]
        runtime[keyPath: keyPath] = values[2]
        var layered = Layered<Section>()
        expect(layered, builtIn, .builtIn)
        layered.adopt(defaults: defaults, remote: nil)
        expect(layered, values[0], .default)
        layered.adopt(defaults: defaults, remote: remote)
        expect(layered, values[1], .remote)
        layered.set(field, from: runtime, at: 0)
        expect(layered, values[2], .runtime)
        layered.set(field, from: Section(), at: 0)
        expect(layered, builtIn, .runtime)
        layered.adopt(defaults: defaults, remote: nil)
        expect(layered, builtIn, .runtime)
        layered.reset(field)
        expect(layered, values[0], .default)
        layered.adopt(defaults: nil, remote: Section())
        expect(layered, builtIn, .builtIn)
    }
}
