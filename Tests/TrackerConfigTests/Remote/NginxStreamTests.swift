import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

private let nginx = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// A stream through Debian's nginx. Its time is the machine's, because nginx has no other.
@Suite("A stream through a proxy", .endsWhenItHangs, .serialized, .enabled(if: nginx != nil, "needs nginx"))
struct NginxStreamTests {
    /// A proxy whose `/buffered` holds back what comes and whose `/plain` does not.
    private final class Proxy {
        let url: String
        private let directory = TemporaryDirectory()
        private let process: ChildProcess

        init(of server: String) throws {
            // Free a moment ago.
            let port = try LoopbackServer { _ in .drop }.port
            url = "http://127.0.0.1:\(port)"
            let path = directory.path
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(path)/\($0);" }.joined(separator: " ")
            let configuration = """
                daemon off; master_process off; pid \(path)/pid; error_log \(path)/log;
                events {}
                http {
                    access_log off; \(temporary)
                    server {
                        listen 127.0.0.1:\(port);
                        location /buffered { proxy_pass \(server)/events; }
                        location /plain { proxy_pass \(server)/events; proxy_buffering off; }
                    }
                }
                """
            try Data(configuration.utf8).write(to: URL(filePath: "\(path)/nginx.conf"))
            process = try ChildProcess(try #require(nginx), "-c", "\(path)/nginx.conf")
        }

        deinit {
            process.send(SIGCONT)
            process.terminate()
            _ = process.wait()
        }

        func send(_ signal: Int32) { process.send(signal) }

        /// A source whose stream goes through the proxy.
        func source(_ path: String) throws -> HTTPSource {
            var remote = RemoteConfiguration(endpoint: url)
            remote.streamEndpoint = url + path
            // Long enough for a busy machine to pass on one of many heartbeats.
            remote.streamTimeout = .seconds(4)
            return try HTTPSource(remote, transport: CurlTransport())
        }
    }

    private let site: SignalSite
    private let proxy: Proxy

    init() throws {
        site = try SignalSite()
        proxy = try Proxy(of: site.url)
        site.answer { _ in
            .stream(status: 200, headers: [("Content-Type", "text/event-stream")]) { writer in
                writer.write(Array("data: {\"version\": 7}\n\n".utf8))
                while writer.write(Array(": heartbeat\n".utf8)) { usleep(20_000) }
            }
        }
    }

    /// Returns when the proxy passes a change on.
    private func waitForChange(_ source: HTTPSource) async throws {
        while true {
            for await signal in try #require(source.signals()) where signal.kind == .changed {
                #expect(signal.version == 7)
                return
            }
            try await yieldUnlessCancelled()
        }
    }

    @Test("a proxy that buffers is a stream that is silent, and one that does not passes it on")
    func buffers() async throws {
        try await waitForChange(proxy.source("/plain"))
        let signals = await (try proxy.source("/buffered")).allSignals() ?? []
        #expect(!signals.contains { $0.kind == .changed })
        #expect((signals.last?.kind, signals.last?.failure?.code) == (.disconnected, .timeout))
    }

    @Test("a peer that is there and says nothing is one that has died, and the next connection works once it is back")
    func stops() async throws {
        let source = try proxy.source("/plain")
        try await waitForChange(source)
        var failure: FetchError?
        for await signal in try #require(source.signals()) {
            if signal.kind == .changed { proxy.send(SIGSTOP) }
            failure = signal.failure
        }
        #expect(failure?.code == .timeout)
        #expect(failure?.reason == "the stream of events \(proxy.url)/plain sent nothing for 4.0 seconds")
        // The kernel still accepts connections for it.
        let refusal = await source.refusal()
        #expect(refusal?.reason == "the stream of events \(proxy.url)/plain was not opened within 4.0 seconds")
        proxy.send(SIGCONT)
        try await waitForChange(source)
    }
}
