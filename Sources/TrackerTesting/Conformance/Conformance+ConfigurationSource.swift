import FoundationEssentials
public import TrackerFeatures

extension Conformance {
    /// Checks a source of documents, and its stream of changes if it has one.
    ///
    /// ```swift
    /// let source = MemorySource("{}")
    /// try await Conformance.check(source) { document in
    ///     if let document {
    ///         source.publish(String(decoding: document, as: UTF8.self))
    ///     } else {
    ///         source.fail(FetchError(.status, reason: "the server answered 404", status: 404))
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - source: The source.
    ///   - publish: Stores a document for the source to fetch, and sends a hint if this source has a publisher of
    ///     hints; nil removes the document.
    /// - Throws: ``ConformanceError`` if it breaks a promise of `ConfigurationSource`.
    public static func check(
        _ source: any ConfigurationSource, publish: (_ document: [UInt8]?) async throws -> Void
    ) async throws(ConformanceError) {
        var promises = Promises(of: "ConfigurationSource", by: source)
        let (first, second) = (document(1, "one"), document(2, "another"))
        var validators: DocumentValidators?

        await promises.check("fetching a document") { promises in
            try await publish(first)
            for _ in 1...2 {
                let found = try await source.fetch(nil)
                promises.expect(found != nil, "a fetch without validators returns the document, also a second time")
                promises.expect(
                    found == nil || found?.bytes == first, "the document has the bytes that were published")
                validators = found?.validators ?? validators
            }
        }
        await promises.check("fetching a document that has not changed") { promises in
            guard let validators else { return }
            let found = try await source.fetch(validators)
            promises.expect(
                found == nil || found?.bytes == first,
                "a fetch with the document's validators says that it has not changed, or returns the same document")
            let other = DocumentValidators(entityTag: "\"conformance\"", lastModified: "Thu, 01 Jan 1970 00:00:01 GMT")
            promises.expect(
                try await source.fetch(other)?.bytes == first,
                "a fetch with the validators of another document returns the document")
        }
        await promises.check("fetching a document that has changed") { promises in
            try await publish(second)
            let found = try await source.fetch(validators)
            promises.expect(
                found?.bytes == second, "a fetch with the validators of an earlier document returns the new one")
            promises.expect(
                try await source.fetch(nil)?.bytes == second, "a fetch without validators returns the new document")
            guard let found, let validators, found.validators != DocumentValidators() else { return }
            promises.expect(found.validators != validators, "different documents have different validators")
        }
        await promises.check("removing the document") { promises in
            try await publish(nil)
            for validators in [nil, validators] {
                do throws(FetchError) {
                    _ = try await source.fetch(validators)
                    promises.expect(false, "a fetch throws if there is no document")
                } catch {
                    promises.expect(!error.reason.isEmpty, "the error of a fetch says what is wrong")
                }
            }
        }
        await promises.check("publishing a document again") { promises in
            try await publish(first)
            promises.expect(
                try await source.fetch(nil)?.bytes == first,
                "a fetch succeeds again after it failed because there was no document")
        }
        await promises.check("following the changes") { promises in
            // Called after a fetch, because some sources have a stream only then.
            guard var hints = source.changes() else { return }
            let announced = "a connection yields a hint after a publication"
            promises.expect(await next(hints), is: true, "a connection yields a first hint")
            try await publish(second)
            promises.expect(await next(hints), is: true, announced)
            promises.expect(
                try await source.fetch(nil)?.bytes == second, "a fetch after a hint returns the new document")

            hints = AsyncThrowingStream { $0.finish() }
            try await publish(first)
            guard let again = source.changes() else {
                return promises.expect(false, "a source that had a stream still has it after a connection was closed")
            }
            promises.expect(await next(again), is: true, "a connection opens after the one before was closed")
            try await publish(second)
            promises.expect(await next(again), is: true, "\(announced), also the second connection")

            try await publish(nil)
            try await publish(first)
            var found = await next(again)
            // The setup opens the next connection, and fetches.
            if found == false { found = await next(source.changes()) }
            promises.expect(found, is: true, "hints go on after the document was removed and published again")
        }
        try promises.finish()
    }

    /// Whether the next element of a connection is a hint; false if the connection ends, nil if no hint arrives within
    /// ``patience``.
    private static func next(_ hints: AsyncThrowingStream<ChangeHint, any Error>?) async -> Bool? {
        guard let hints else { return nil }
        return await result(within: patience) { await (try? hints.first { _ in true }) != nil }
    }

    /// A document with texts that a source must not change.
    private static func document(_ version: Int, _ text: String) -> [UInt8] {
        let text =
            "{\"configurationVersion\":\(version),\"configurationBundle\":[],\r\n \"meta\":{\"text\":\"\(text) – ü é 😀\"}}\n"
        return Array(text.utf8)
    }
}
