import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// What a fetch costs that brings nothing new.
@Suite("A document that has not changed", .endsWhenItHangs)
struct NotModifiedTests {
    private let service = Service()

    /// The files of the service with all by which a write would show. The event store has threads of its own.
    private var disk: [String: String] {
        var disk: [String: String] = [:]
        for directory in [service.cacheDirectory, service.stateDirectory] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            for path in names.filter({ !$0.hasPrefix("log-") }).map({ "\(directory)/\($0)" }) {
                var information = stat()
                #expect(lstat(path, &information) == 0)
                let (written, changed) = (information.st_mtim, information.st_ctim)
                disk[path] = """
                    \(information.st_ino) \(information.st_size) \
                    \(written.tv_sec).\(written.tv_nsec) \(changed.tv_sec).\(changed.tv_nsec)
                    """
            }
        }
        return disk
    }

    @Test(
        "is neither read nor written anywhere, be it in use or held back",
        arguments: [100, 0], ["http", "file"])
    func costs(percent: Int, scheme: String) async throws {
        let old = DocumentText.document(1, DocumentText.bundle())
        let new = DocumentText.document(2, DocumentText.bundle(), more: #","rollout":{"percent":\#(percent)}"#)
        try service.cache(old)
        let reads = Locked(0)
        service.transport.respond { request in
            let isKnown = request.headers.contains(HTTPHeader(name: "If-None-Match", value: "two"))
            return .success(
                HTTPTransportResponse(
                    status: isKnown ? 304 : 200, headers: [HTTPHeader(name: "ETag", value: "two")],
                    body: isKnown ? [] : Array(new.utf8)))
        }
        service.directory.write(new, to: "trackers.json")
        let url = scheme == "http" ? Service.url : "file://\(service.directory.file("trackers.json"))"
        if scheme == "file" { try service.cache(old, url: url) }
        let setup = try service.start(url, remote: { $0.verify = { _, _ in reads.withLock { $0 += 1 } } })
        let first = await service.settled()
        #expect(first.short == (percent == 100 ? #"applied 2 ["a"]"# : "held 2"))
        let before = disk
        #expect(before.count > 2)
        // Once for the document and once or more for what is cached, which is verified whenever it is read.
        let known = reads.withLock { $0 }
        #expect(2...3 ~= known)
        for _ in 0..<5 {
            let outcome = await setup.refresh()
            if percent == 100 { #expect(outcome == .notModified) } else { #expect(outcome == first) }
        }
        #expect(reads.withLock { $0 } == known)
        #expect(disk == before)
        #expect(service.updates.count == (percent == 100 ? 2 : 1))
        await setup.shutdown(timeout: .zero)
    }
}
