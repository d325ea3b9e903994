public import TrackerFeatures

extension Conformance {
    /// Checks a provider of features.
    ///
    /// ```swift
    /// try await Conformance.check(provider) { try write("{\"features\": {\"checkout\": {\"enabled\": true}}}") }
    /// ```
    /// - Parameters:
    ///   - provider: The provider, newly created: its changes must not have been read yet.
    ///   - reportsChanges: Whether the provider reports changes; true by default. If not, it must still return changed
    ///     features when it is loaded again.
    ///   - change: Changes the features at their origin, so that at least one differs; nil, the default, for a provider
    ///     whose features never change.
    /// - Throws: ``ConformanceError`` if it breaks a promise of `FeatureValueProvider`.
    public static func check(
        _ provider: any FeatureValueProvider, reportsChanges: Bool = true, change: (() async throws -> Void)? = nil
    ) async throws(ConformanceError) {
        var promises = Promises(of: "FeatureValueProvider", by: provider)
        // A setup also reads the changes before the first load.
        let changes = provider.changes
        var first: ProvidedFeatures?
        await promises.check("loading") { promises in
            let provided = try provider.load()
            first = provided
            promises.expect(
                try provider.load() == provided, "loading twice without a change between returns the same features")
        }
        await promises.check("loading on several threads") { promises in
            let loads = try await withThrowingTaskGroup(of: ProvidedFeatures.self) { group in
                for _ in 1...8 { group.addTask { try provider.load() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            promises.expect(
                loads.allSatisfy { $0 == first }, "loading on several threads at one time returns the same features")
        }
        if let change {
            await promises.check("loading after a change") { promises in
                let report = Task { await changes.first { _ in true } != nil }
                defer { report.cancel() }
                try await change()
                if reportsChanges {
                    let hasChanged = await result(within: patience) { await report.value }
                    promises.expect(hasChanged == true, "changes has an element if the features have changed")
                }
                promises.expect(try provider.load() != first, "loading after a change returns the new features")
            }
        }
        try promises.finish()
    }
}
