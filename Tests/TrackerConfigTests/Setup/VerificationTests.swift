import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

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

    private func serve(_ version: Int, signed: Bool) {
        let document = text(version)
        service.serve(
            document, headers: [HTTPHeader("X-Length", "\(signed ? document.utf8.count : 0)")])
    }

    @Test("a document that is not verified is rejected before it is read; what was in use goes on")
    func rejected() async throws {
        serve(1, signed: true)
        let setup = try service.start(remote: verified)
        await service.settled()
        serve(2, signed: false)
        guard case .rejected(let error) = await setup.refresh() else {
            Issue.record("not rejected")
            return
        }
        #expect(error.code == .unverified)
        #expect(error.description == "the verification failed: the signature is wrong")
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
        let first = try service.start(remote: { $0.keepsVersionFloor = isKept })
        await service.settled()
        await first.shutdown(timeout: .zero)
        try FileManager.default.removeItem(atPath: service.cacheDirectory)
        service.serve(text(4))
        let second = try service.start(remote: { $0.keepsVersionFloor = isKept })
        await service.settled()
        #expect(service.trace.last == (isKept ? "stale 4" : #"applied 4 ["a"]"#))
        service.serve(text(5))
        #expect(await second.refresh().short == #"applied 5 ["a"]"#)
        service.serve(text(6))
        #expect(await second.refresh().short == #"applied 6 ["a"]"#)
        await second.shutdown(timeout: .zero)
    }

    @Test("no secret of a URL is in the sentence on why it cannot be used")
    func secrets() async throws {
        let url = "https://alice:secret@collector.example:99999"
        service.serve(DocumentText.document(1, DocumentText.bundle("a", at: url)))
        let setup = try service.start()
        let outcome = await service.settled()
        #expect(outcome.short == "rejected unusableURL")
        #expect(!outcome.description.contains("secret"))
        #expect(outcome.description.contains("https://***@collector.example:99999"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("the floor of one source is not another's")
    func sources() async throws {
        service.serve(text(5))
        let first = try service.start(remote: { $0.keepsVersionFloor = true })
        await service.settled()
        await first.shutdown(timeout: .zero)
        service.serve(text(1))
        let second = try service.start("https://config.example/other.json", remote: { $0.keepsVersionFloor = true })
        #expect(await service.settled().short == #"applied 1 ["a"]"#)
        await second.shutdown(timeout: .zero)
    }

    @Test("a floor that cannot be kept is a warning, and holds for as long as the process lives")
    func unkept() async throws {
        service.directory.write("", to: "file")
        service.serve(text(5))
        let setup = try service.start(
            configure: { $0.stateDirectory = service.directory.file("file/state") },
            remote: { $0.keepsVersionFloor = true })
        await service.settled()
        let warnings = service.updates.last?.warnings.map(\.description) ?? []
        #expect(warnings.contains { $0.hasPrefix("state: the record of versions cannot be kept: ") })
        await setup.shutdown(timeout: .zero)
    }
}
