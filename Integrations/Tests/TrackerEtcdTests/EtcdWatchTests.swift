import Foundation
import Testing
import TrackerConfig

@testable import TrackerEtcd

@Suite("Lines of a watch", .timeLimit(.minutes(10)))
struct EtcdWatchTests {
    private let created = #"{"result":{"header":{"revision":"7"},"created":true}}"# + "\n"

    private func put(_ value: String) -> String {
        #"{"result":{"header":{"revision":"9"},"events":[{"kv":{"mod_revision":"9","value":"\#(value)"}}]}}"# + "\n"
    }

    @Test("may be split anywhere, and each change is counted, however long its line is")
    func pieces() {
        let removal = #"{"result":{"events":[{"type":"DELETE","kv":{"mod_revision":"10"}}]}}"# + "\n"
        let bytes = Array((created + put("b25l") + put(String(repeating: "A", count: 10_000)) + removal).utf8)
        for size in [1, 2, 7, 100, 4096, bytes.count] {
            var watch = EtcdWatch()
            var hints = 0
            for start in stride(from: 0, to: bytes.count, by: size)
            where watch.read(Array(bytes[start..<min(start + size, bytes.count)])) {
                hints += 1
            }
            #expect(watch.isOpen && watch.changes == 3 && watch.failure == nil && watch.revision == 9)
            #expect(1...4 ~= hints)
        }
    }

    @Test("without a change give no hint")
    func nothing() {
        var watch = EtcdWatch()
        let isOpened = watch.read(Array(created.utf8))
        let isNews = watch.read(Array((#"{"result":{"header":{"revision":"8"}}}"# + "\n").utf8))
        #expect(isOpened && !isNews)
        #expect(watch.changes == 0 && watch.failure == nil)
    }

    @Test(
        "that are none end the watch with a sentence",
        arguments: [
            ("hello\n", nil, "the watch received a message that is not etcd's"),
            (
                #"{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader"}}"# + "\n", nil,
                "the watch of etcd ended: etcdserver: no leader"
            ),
            (#"{"error":{"http_code":401,"message":"invalid"}}"# + "\n", 401, "the watch of etcd ended: invalid"),
            (
                #"{"result":{"header":{},"created":true,"canceled":true,"cancel_reason":"etcdserver: permission denied"}}"#
                    + "\n",
                403, "etcd cancelled the watch: etcdserver: permission denied"
            ),
        ])
    func bad(text: String, status: Int?, reason: String) {
        var watch = EtcdWatch()
        let isOpened = watch.read(Array((created + text).utf8))
        #expect(isOpened)
        #expect(watch.failure?.reason == reason && watch.failure?.status == status)
    }
}
