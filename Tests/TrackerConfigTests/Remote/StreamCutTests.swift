import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer
import TrackerTesting

/// Connections of each kind are cut somewhere. Each is followed by one that has to work.
@Suite("A stream that is cut", .endsWhenItHangs)
struct StreamCutTests {
    /// What happens to a connection.
    enum Cut: String, CaseIterable {
        /// The server holds the connection until the client has given it up, with or without an answer.
        case held
        case killed, garbage
    }

    private static let eventStream = [("Content-Type", "text/event-stream")]
    private static let flow = ": hello\n\nid: 1\ndata: {\"version\": 1}\n\nevent: changed\ndata: {}\n\n: heartbeat\n\n"

    /// An answer that begins well, up to some byte, and is then cut.
    private static func answer(_ cut: Cut, after count: Int, _ goesOn: DispatchSemaphore) -> ServerReply {
        let begin = Array(flow.utf8.prefix(count))
        switch cut {
        case .killed:
            return .stream(status: 200, headers: eventStream + [("Transfer-Encoding", "chunked")]) { writer in
                writer.write(Array("\(String(count + 1, radix: 16))\r\n".utf8) + begin)
            }
        case .held:
            if count % 2 == 0 {
                goesOn.wait()
                return .drop
            }
            return .stream(status: 200, headers: eventStream) { writer in
                writer.write(begin)
                goesOn.wait()
            }
        case .garbage:
            // What is no HTTP, or none after the head.
            let noise = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let head = count % 2 == 0 ? "" : "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(count)\r\n"
            return .raw(Array(head.utf8) + noise)
        }
    }

    @Test("the next connection works after each cut, and no socket is left open", arguments: Cut.allCases)
    func cuts(_ cut: Cut) async throws {
        let site = try StreamSite()
        let source = try site.source()
        let random = SeededRandom(seed: UInt64(Cut.allCases.firstIndex(of: cut) ?? 0))
        for number in 1...Search.count(4) {
            // Both an even and an odd one, which answer in two ways.
            let count = Int(random.fraction() * Double(Self.flow.utf8.count / 2)) * 2 + number % 2
            let goesOn = DispatchSemaphore(value: 0)
            site.answer { _ in Self.answer(cut, after: count, goesOn) }
            let seen = Locked<FetchError??>(nil)
            Task {
                let failure = await source.allHints()?.failure
                seen.withLock { $0 = .some(failure) }
            }
            try await waitUntil("the connection is given up") {
                if cut == .held { site.time.advance(by: .seconds(45)) }
                return seen.withLock { $0 != nil }
            }
            #expect(seen.withLock { $0 } != .some(nil), "\(cut) \(number) after \(count) bytes")
            goesOn.signal()
            site.answer { _ in
                .stream(status: 200, headers: Self.eventStream) { writer in
                    writer.write(Array("data: {\"version\": \(number)}\n\n".utf8))
                }
            }
            let (hints, failure) = try #require(await source.allHints())
            #expect(hints.last?.version == number && failure == nil, "\(cut) \(number) after \(count) bytes")
        }
        try await waitUntil("no socket is left open") { try Self.openSockets(to: site.port) == 0 }
    }

    /// How many connections to a port are open at the client's end.
    private static func openSockets(to port: UInt16) throws -> Int {
        let suffix = ":" + String(port, radix: 16, uppercase: true)
        return try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8).split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            // Established, or closed by the server alone.
            return words.count > 3 && words[2].hasSuffix(suffix) && ["01", "08"].contains(words[3])
        }
    }
}
