import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// The `verify` closure and the floor of versions.
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

    private func keepFloor(_ remote: inout RemoteConfiguration) { remote.keepsVersionFloor = true }

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

    @Test("with a floor an old document stays out, also after a restart without a cache", arguments: [true, false])
    func floor(isKept: Bool) async throws {
        service.serve(text(5))
        try await run({ $0.keepsVersionFloor = isKept })
        try FileManager.default.removeItem(atPath: service.cacheDirectory)
        service.serve(text(4))
        let second = try await service.started(remote: { $0.keepsVersionFloor = isKept })
        #expect(service.trace.last == (isKept ? "stale 4" : #"applied 4 ["a"]"#))
        service.serve(text(5))
        #expect(await second.refresh().short == #"applied 5 ["a"]"#)
        service.serve(text(6))
        #expect(await second.refresh().short == #"applied 6 ["a"]"#)
        await second.shutdown(timeout: .zero)
    }

    /// Starts with a floor, without an answer of the server, and says with what.
    private func restart(_ body: (Setup) async throws -> Void = { _ in }) async throws -> String? {
        service.serve(status: 500)
        let setup = try await service.started(remote: keepFloor)
        try await body(setup)
        defer { withExtendedLifetime(setup) {} }
        let version = setup.status.document.version.map { "\($0)" }
        await setup.shutdown(timeout: .zero)
        return version
    }

    @Test("with a floor an older document that comes into the cache is not applied at the next start either")
    func floorOfCache() async throws {
        service.serve(text(5))
        try await run(keepFloor)
        #expect(try await restart() == "5")
        try FileManager.default.removeItem(atPath: service.cacheDirectory)
        try service.cache(text(4))
        let version = try await restart { setup in
            #expect(service.log.contains("version 4: held: it is lower than version 5, which was applied before"))
            #expect(setup.status.changes.contains { $0.kind == .held && $0.version == 4 && $0.needsAttention })
        }
        #expect(version == nil)
    }

    @Test(
        "after a rollback the floor is the version that the cache has from before, and no lower one",
        arguments: [
            (nil, "5", "5"), (Duration.seconds(5), "5", "5"), (.seconds(101), "6", "5"), (.seconds(201), "6", "6"),
        ])
    func floorAfterRollback(canary wait: Duration?, good: String, floor: String) async throws {
        func document(_ version: Int, canary: Bool = false) -> String {
            DocumentText.document(
                version, DocumentText.bundle("a", at: "v\(version).example"),
                more: canary ? #","rollout":{"percent":100,"bakeSeconds":100}"# : "")
        }
        service.serve(document(5))
        let first = try await service.started(remote: keepFloor)
        if let wait {
            service.serve(document(6, canary: true))
            #expect(await first.refresh().short == #"applied 6 ["a"]"#)
            service.time.advance(by: wait)
            await first.updater.observeCanary()
        }
        service.serve(document(7, canary: true))
        #expect(await first.refresh().short == #"applied 7 ["a"]"#)
        service.collector("v7.example", answers: 400)
        for _ in 0..<20 { await first.tracker("a")?.deliver() }
        service.time.advance(by: .seconds(5))
        await first.updater.observeCanary()
        #expect(first.status.document.version.map { "\($0)" } == good)
        await first.shutdown(timeout: .zero)
        #expect(try await restart() == floor)
        try FileManager.default.removeItem(atPath: service.cacheDirectory)
        try service.cache(document(4))
        #expect(try await restart() == nil)
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

    @Test("the floor of one source is not another's")
    func sources() async throws {
        service.serve(text(5))
        try await run(keepFloor)
        service.serve(text(1))
        let second = try service.start("https://config.example/other.json", remote: keepFloor)
        #expect(await service.settled().short == #"applied 1 ["a"]"#)
        await second.shutdown(timeout: .zero)
    }

    @Test("a floor that cannot be kept is a warning, and holds for as long as the process lives")
    func unkept() async throws {
        service.directory.write("", to: "file")
        service.serve(text(5))
        let setup = try await service.started(
            configure: { $0.stateDirectory = service.directory.file("file/state") },
            remote: keepFloor)
        let warnings = service.updates.last?.warnings.map(\.description) ?? []
        #expect(warnings.contains { $0.hasPrefix("state: the record of versions cannot be kept: ") })
        await setup.shutdown(timeout: .zero)
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
