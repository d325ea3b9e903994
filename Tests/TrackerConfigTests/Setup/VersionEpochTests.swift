import DocumentTools
import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// The way back from a version that was published too high.
@Suite("Epochs of versions", .endsWhenItHangs)
struct VersionEpochTests {
    private let service = Service()

    private func text(_ version: Int, epoch: Any? = nil, _ namespace: String = "a", more: String = "") -> String {
        let epoch = epoch.map { ",\"versionEpoch\":\($0)" } ?? ""
        return DocumentText.document(version, DocumentText.bundle(namespace), more: epoch + more)
    }

    @Test("a higher epoch follows the highest version, also after restarts and over the cache")
    func wayBack() async throws {
        service.serve(text(2_147_483_647))
        let first = try await service.started(remote: { $0.keepsVersionFloor = true })
        service.serve(text(43))
        #expect(await first.refresh().short == "stale 43")
        service.serve(text(43, epoch: 1, "b"))
        #expect(await first.refresh().short == #"applied 43 ["b"]"#)
        await first.shutdown(timeout: .zero)
        service.serve(text(2_147_483_647))
        let second = try await service.started(remote: { $0.keepsVersionFloor = true })
        #expect(service.trace.suffix(2) == [#"cached 43 ["b"]"#, "stale 2147483647"])
        await second.shutdown(timeout: .zero)
        try FileManager.default.removeItem(atPath: service.cacheDirectory)
        let third = try await service.started(remote: { $0.keepsVersionFloor = true })
        #expect(service.trace.last == "stale 2147483647")
        service.serve(text(1, epoch: 2))
        #expect(await third.refresh().short == #"applied 1 ["a"]"#)
        await third.shutdown(timeout: .zero)
    }

    @Test("a default is of epoch 0, so that any document with an epoch is newer")
    func overDefault() async throws {
        service.serve(text(1, epoch: 1))
        let bundle = ConfigurationBundle(namespace: "d", network: NetworkConfiguration(endpoint: "c.example"))
        let outcome = try await service.run(default: [bundle], version: 1000)
        #expect(outcome.short == #"applied 1 ["a"]"#)
        let text = self.text(1, epoch: 5)
        let document = try Document(Array(text.utf8), purpose: .default)
        #expect(document.warnings.map(\.description).first?.contains("versionEpoch: without effect") == true)
    }

    @Test(
        "the version of a default document counts, unless the caller gives another",
        arguments: [(nil, 7, false), (nil, 8, true), (0, 7, true), (9, 8, false)])
    func ofDefaultDocument(version: Int?, served: Int, isApplied: Bool) async throws {
        service.serve(text(served, epoch: 0))
        let document = try Document(default: Array(text(7, epoch: 0).utf8))
        let setup = try service.start(default: document, version: version)
        #expect(service.updates.map(\.version) == [version ?? 7])
        await service.settled()
        #expect((setup.status.document.state == .fetched) == isApplied)
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "an epoch is an integer of 31 bits; null is none",
        arguments: [("-1", false), ("2147483648", false), ("\"1\"", false), ("2147483647", true)])
    func bounds(epoch: String, isValid: Bool) throws {
        let bytes = Array(text(1, epoch: epoch).utf8)
        if isValid {
            #expect(try Document(bytes).versionEpoch == 2_147_483_647)
        } else {
            let error = #expect(throws: ConfigurationError.self) { try Document(bytes) }
            #expect(error?.place == "versionEpoch")
        }
        #expect(try Document(Array(text(1, epoch: "null").utf8)).versionEpoch == 0)
    }

    @Test(
        "an epoch without a way back, one that is unusually high, and the highest version are warned of when they are applied",
        arguments: [
            (2_147_483_647, 1, "versionEpoch: it is the highest that there is: no later document can go back"),
            (1001, 1, "versionEpoch: 1001 is far above what is usual; an epoch needs to grow by 1 only"),
            (0, 2_147_483_647, "configurationVersion: it is the highest that there is: only a higher versionEpoch"),
        ])
    func warnings(epoch: Int, version: Int, warning: String) async throws {
        service.serve(text(version, epoch: epoch))
        try await service.run()
        #expect(service.updates.last?.warnings.map { "\($0)" }.contains { $0.contains(warning) } == true)
        #expect(service.log.records.count { $0.level == .warning && $0.message.contains(warning) } == 1)
        #expect(try Document(Array(text(7, epoch: 1000).utf8)).warnings.isEmpty)
    }

    @Test("crashes and reversions of a version say nothing of the same number in another epoch")
    func record() throws {
        var record = VersionRecord()
        let (old, new) = (DocumentVersion(2), DocumentVersion(2, epoch: 1))
        for _ in 0..<3 { record.vanished(old, limit: 3) }
        record.applied(new, isCanary: true, over: nil)
        record.reverted(VersionRecord.Reversion(digest: "d", version: new, reason: "r"))
        #expect(record.crashes(of: old) != nil)
        #expect(record.crashes(of: new) == nil)
        record.vanished(new, limit: 3)
        record.survived(old)
        #expect(record.crashes.map(\.version) == [old, new])
        #expect(VersionRecord(bytes: record.bytes) == record)
    }

    @Test("the epoch is no part of the content: what was reverted stays so under another one")
    func content() throws {
        let rollout = #","rollout":{"percent":100}"#
        let (one, two) = (text(1, more: rollout), text(9, epoch: 4, more: rollout))
        #expect(try Document(Array(one.utf8)).contentDigest == Document(Array(two.utf8)).contentDigest)
    }

    @Test("a difference tells of the epoch, and of a jump that looks like a mistake")
    func difference() throws {
        func difference(_ old: String, _ new: String) throws -> ConfigurationDifference {
            ConfigurationDifference(from: try Document(Array(old.utf8)), to: try Document(Array(new.utf8)))
        }
        let jump = try difference(text(42), text(42 + 1_000_001))
        #expect(jump.isVersionJump)
        #expect(jump.json["versionJump"] == true)
        #expect(try !difference(text(42), text(42 + 1_000_000)).isVersionJump)
        let back = try difference(text(2_147_483_647), text(43, epoch: 1))
        #expect(back.decision == .apply)
        #expect(!back.isVersionJump)
        #expect(back.json["newVersionEpoch"] == 1)
        #expect(back.json["oldVersionEpoch"] == 0)
    }
}
