import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// The `verify` closure.
@Suite("Which documents are trusted", .endsWhenItHangs)
struct VerificationTests {
    private struct WrongSignature: Error, CustomStringConvertible {
        let description = "the signature is wrong"
    }

    private let service = Service()

    private func text(_ version: Int) -> String { DocumentText.document(version, DocumentText.bundle()) }

    /// Lets documents through that have a header which names their length.
    private func verified(_ remote: inout RemoteConfiguration) {
        remote.verify = { bytes, headers in
            let length = headers.first { $0.name.lowercased() == "x-length" }?.value
            guard length == "\(bytes.count)" else { throw WrongSignature() }
        }
    }

    /// Starts, waits for the first fetch, and shuts down.
    private func run(_ remote: (inout RemoteConfiguration) -> Void) async throws {
        try await service.started(remote: remote).shutdown(timeout: .zero)
    }

    private func serve(_ version: Int, signed: Bool) {
        let document = text(version)
        service.serve(
            document, headers: [HTTPHeader(name: "X-Length", value: "\(signed ? document.utf8.count : 0)")])
    }

    @Test("a document that is not verified is rejected before it is read; what was in use goes on")
    func rejected() async throws {
        serve(1, signed: true)
        let setup = try await service.started(remote: verified)
        serve(2, signed: false)
        guard let error = await setup.refresh().configurationError else {
            Issue.record("not rejected")
            return
        }
        #expect(error.code == .unverified)
        #expect(error.description == "the verification failed: the signature is wrong")
        #expect(error.cause.map { "\($0)" } == "the signature is wrong")
        service.serve("no JSON at all")
        #expect(await setup.refresh().short == "rejected unverified")
        serve(2, signed: true)
        #expect(await setup.refresh().short == #"applied 2 ["a"]"#)
        await setup.shutdown(timeout: .zero)
        #expect(try await service.run() == .unchanged(version: 2, isOtherContent: false))
    }

    @Test("it sees the bytes as they were sent, and may call back into its setup")
    func bytes() async throws {
        let (seen, box) = (Locked<[[UInt8]]>([]), Locked<Setup?>(nil))
        serve(1, signed: true)
        let setup = try service.start(remote: {
            $0.verify = { bytes, _ in
                seen.withLock { $0.append(bytes) }
                _ = box.withLock { $0 }?.namespaces
            }
        })
        box.withLock { $0 = setup }
        await service.settled()
        _ = await setup.refresh()
        #expect(seen.withLock { $0 }.allSatisfy { $0 == Array(text(1).utf8) })
        #expect(seen.withLock { $0 }.count == 2)
        service.serve(status: 304)
        _ = await setup.refresh()
        #expect(seen.withLock { $0 }.count == 2)
        box.withLock { $0 = nil }
        await setup.shutdown(timeout: .zero)
    }

    @Test("no secret of a URL is in the sentence on why it cannot be used")
    func secrets() async throws {
        let url = "https://alice:secret@collector.example:99999"
        service.serve(DocumentText.document(1, DocumentText.bundle("a", at: url)))
        let outcome = try await service.run()
        #expect(outcome.short == "rejected unusableURL")
        #expect(!outcome.description.contains("secret"))
        #expect(outcome.description.contains("https://***@collector.example:99999"))
    }

    @Test("a cached document is verified with its headers before it is used")
    func cached() async throws {
        serve(1, signed: true)
        try await run(verified)
        service.serve(status: 500)
        let second = try await service.started(remote: verified)
        #expect(service.trace.suffix(2) == [#"cached 1 ["a"]"#, "failed status(500)"])
        #expect(service.updates.last?.warnings.isEmpty == true)
        await second.shutdown(timeout: .zero)
        let revoked = try await service.started(remote: { $0.verify = { _, _ in throw WrongSignature() } })
        #expect(service.updates.count == 2)
        #expect(revoked.namespaces.isEmpty)
        await revoked.shutdown(timeout: .zero)
    }

    @Test("a cached document that does not verify is removed with a warning, and the one before it is used")
    func planted() async throws {
        serve(1, signed: true)
        try await run(verified)
        // As an attacker with write access and without a key would leave it.
        try service.cache(text(9))
        let second = try await service.started(remote: verified)
        #expect(service.trace.suffix(2) == [#"cached 1 ["a"]"#, "unchanged 1"])
        let warnings = service.updates.last?.warnings.map(\.description) ?? []
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.hasSuffix("version 9 cannot be used: the verification failed: the signature is wrong")
                == true)
        #expect(service.cacheFiles.keys.contains { $0.hasSuffix(".cache.unusable") })
        serve(2, signed: true)
        #expect(await second.refresh().short == #"applied 2 ["a"]"#)
        await second.shutdown(timeout: .zero)
        service.serve(status: 500)
        let third = try service.start(remote: verified)
        #expect(service.trace.last == #"cached 2 ["a"]"#)
        await third.shutdown(timeout: .zero)
    }

    @Test("a document that is planted while the service runs does not keep a signed one out of the cache")
    func plantedWhileRunning() async throws {
        serve(1, signed: true)
        let first = try await service.started(remote: verified)
        try service.cache(text(99))
        serve(2, signed: true)
        #expect(await first.refresh().short == #"applied 2 ["a"]"#)
        await first.shutdown(timeout: .zero)
        service.serve(status: 500)
        let second = try service.start(remote: verified)
        #expect(service.trace.last == #"cached 2 ["a"]"#)
        await second.shutdown(timeout: .zero)
    }

    @Test("an entry without headers, as of the release before, is fetched again")
    func withoutHeaders() async throws {
        try service.cache(text(1))
        serve(1, signed: true)
        let setup = try service.start(remote: verified)
        #expect(setup.namespaces.isEmpty)
        #expect(await service.settled().short == #"applied 1 ["a"]"#)
        await setup.shutdown(timeout: .zero)
    }
}
