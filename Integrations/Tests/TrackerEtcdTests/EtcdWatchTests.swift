import Foundation
import Testing
import TrackerConfig

@testable import TrackerEtcd

@Suite("Lines of a watch", .timeLimit(.minutes(10)))
struct EtcdWatchTests {
    private let created = #"{"result":{"header":{"revision":"7"},"created":true}}"# + "\n"
    private let put =
        #"{"result":{"header":{"revision":"9"},"events":[{"kv":{"mod_revision":"8","value":"b25l"}},"#
        + #"{"kv":{"mod_revision":"9","value":"dHdv"}}]}}"# + "\n"

    private func read(_ text: String, start: Int64? = nil) -> (signals: [SourceSignal], watch: EtcdWatch) {
        var watch = EtcdWatch(start: start, maxDocumentSize: 100)
        let signals = watch.read(Array(text.utf8))
        return (signals, watch)
    }

    @Test("may be split anywhere; of several changes the last one counts")
    func pieces() {
        let bytes = Array((created + put).utf8)
        for size in 1...bytes.count {
            var watch = EtcdWatch(start: 3, maxDocumentSize: 100)
            var signals: [SourceSignal] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                signals += watch.read(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(signals.map(\.kind) == [.connected, .document])
            #expect(signals.last?.document?.bytes == Array("two".utf8))
            #expect(signals.last?.document?.validators.entityTag == "9")
            #expect(watch.revision == 9 && watch.lastChange == 9 && watch.failure == nil)
        }
    }

    @Test(
        "that are none end the watch with a sentence",
        arguments: [
            ("hello\n", nil, "the watch received a message that is not etcd's"),
            (
                "{\"result\":{\"header\":{\"revision\":7},\"created\":true}}\n", nil,
                "the watch received a message that is not etcd's"
            ),
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
        let (signals, watch) = read(created + text)
        #expect(signals.map(\.kind) == [.connected])
        #expect(watch.failure?.reason == reason && watch.failure?.status == status)
    }

    @Test("longer than documents may be end the watch, and are not kept")
    func long() {
        var watch = EtcdWatch(start: 3, maxDocumentSize: 100)
        for _ in 0..<100 { _ = watch.read([UInt8](repeating: UInt8(ascii: "x"), count: 1000)) }
        #expect(watch.failure?.reason == "etcd sent a message larger than 65936 bytes" && watch.isObsolete)
    }

    @Test("say whether the revision that is known is one of this cluster")
    func history() {
        let restored = read(created, start: 100)
        #expect(restored.signals.isEmpty && restored.watch.isObsolete)
        #expect(restored.watch.failure?.reason == "etcd is at revision 7, which is before 99")
        #expect(read(created, start: 8).watch.failure == nil)
        let compacted = read(
            created + #"{"result":{"header":{"revision":"9"},"canceled":true,"compact_revision":"5"}}"# + "\n", start: 3
        )
        #expect(compacted.watch.isObsolete && compacted.watch.failure != nil)
    }

    @Test("a removal, a document that is too large, and one that is not in base64 are changes")
    func changes() {
        for event in [
            #"{"type":"DELETE","kv":{"mod_revision":"9"}}"#, #"{"kv":{"mod_revision":"9","value":"!"}}"#,
            #"{"kv":{"mod_revision":"9","value":"\#(String(repeating: "A", count: 400))"}}"#,
        ] {
            let (signals, watch) = read(
                created + #"{"result":{"header":{"revision":"9"},"events":[\#(event)]}}"# + "\n")
            #expect(signals.map(\.kind) == [.connected, .changed])
            #expect(watch.lastChange == 9)
        }
    }
}
