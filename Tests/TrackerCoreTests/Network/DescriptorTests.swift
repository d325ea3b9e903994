import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer
import TrackerPlatform

/// Runs work while this process can open no file, and gives the descriptors back.
private func withoutDescriptors<Result>(_ work: () async throws -> Result) async throws -> Result {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // The lowest that is free; all below it are taken.
    let free = dup(STDIN_FILENO)
    close(free)
    var none = rlimit(rlim_cur: rlim_t(free), rlim_max: limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
    return try await work()
}

@Suite("Transports without descriptors", .endsWhenItHangs, .mayBlock)
struct DescriptorTests {
    @Test("a transport that finds no descriptor free at its start serves requests as soon as it can")
    func recovers() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in .response(status: 200) }
            var request = HTTPTransportRequest(method: "GET", url: server.url, timeout: .seconds(1))
            let transport = try await withoutDescriptors {
                let transport = CurlTransport()
                // If a thread of the runtime closes a file just now, it connects, and the server has no descriptor to accept.
                let error = await #expect(throws: HTTPTransportError.self) { try await transport.send(request) }
                #expect(error?.code != .cancelled)
                return transport
            }
            request.timeout = .seconds(600)
            for _ in 0..<2 { #expect(try await transport.send(request).status == 200) }
        }
    }

    @Test("a transport whose thread has not begun yet takes what comes meanwhile")
    func takesEarly() async throws {
        let server = try LoopbackServer { _ in .response(status: 200) }
        let request = HTTPTransportRequest(method: "GET", url: server.url)
        for _ in 0..<Search.count(20) {
            let transport = CurlTransport()
            async let first = transport.send(request)
            async let second = transport.send(request)
            #expect(try await (first.status, second.status) == (200, 200))
        }
    }
}
