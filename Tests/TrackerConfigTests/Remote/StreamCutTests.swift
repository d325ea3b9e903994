import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

/// A thousand connections of each kind are cut somewhere. Each is followed by one that has to work.
@Suite("A stream that is cut a thousand times", .endsWhenItHangs)
struct StreamCutTests {
    /// What happens to a connection.
    enum Cut: String, CaseIterable {
        case killed, halfOpen, buffered, unauthorised, unavailable, redirected, garbage, largeEvent

        /// Whether the server holds the connection until the client has given it up.
        var holds: Bool { self == .halfOpen || self == .buffered }
    }

    private static let cuts = 1000
    private static let maxDocumentSize = 1 << 16
    private static let eventStream = [("Content-Type", "text/event-stream")]
    private static let flow = ": hello\n\nid: 1\ndata: {\"version\": 1}\n\nevent: document\ndata: {}\n\n: heartbeat\n\n"

    /// An answer that begins well, up to some byte, and is then cut.
    private static func answer(_ cut: Cut, after count: Int, _ goesOn: DispatchSemaphore) -> ServerReply {
        let begin = Array(flow.utf8.prefix(count))
        switch cut {
        case .killed:
            return .stream(status: 200, headers: eventStream + [("Transfer-Encoding", "chunked")]) { writer in
                writer.write(Array("\(String(count + 1, radix: 16))\r\n".utf8) + begin)
            }
        case .halfOpen:
            return .stream(status: 200, headers: eventStream) { writer in
                writer.write(begin)
                goesOn.wait()
            }
        case .buffered:
            goesOn.wait()
            return .drop
        case .unauthorised: return .response(status: 401, body: begin)
        case .unavailable: return .response(status: 503, headers: [("Retry-After", "1")], body: begin)
        case .redirected: return .response(status: 302, headers: [("Location", "http://127.0.0.1:1/")], body: begin)
        case .garbage:
            // What is no HTTP, or none after the head.
            let noise = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let head = count % 2 == 0 ? "" : "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(count)\r\n"
            return .raw(Array(head.utf8) + noise)
        case .largeEvent:
            return .stream(status: 200, headers: eventStream) { writer in
                writer.write(begin + Array("\ndata: ".utf8))
                let piece = Array(repeating: UInt8(ascii: "x"), count: 1 << 16)
                for _ in 0..<160 where !writer.write(piece) { return }
            }
        }
    }

    @Test("the next connection works after each cut, and no sockets pile up", arguments: Cut.allCases)
    func cuts(_ cut: Cut) async throws {
        let site = try SignalSite()
        let source = try site.source { $0.maxDocumentSize = Self.maxDocumentSize }
        let random = SeededRandom(seed: UInt64(Cut.allCases.firstIndex(of: cut) ?? 0))
        for number in 1...Self.cuts {
            let count = Int(random.fraction() * Double(Self.flow.utf8.count))
            let goesOn = DispatchSemaphore(value: 0)
            site.answer { _ in Self.answer(cut, after: count, goesOn) }
            // A sleep that is waited for could be one of the connection before.
            let patience = Task { [time = site.time] in
                while cut.holds, !Task.isCancelled {
                    time.advance(by: .seconds(45))
                    await Task.yield()
                }
            }
            let failed = await source.allSignals()?.last
            patience.cancel()
            await patience.value
            #expect(failed?.kind == .disconnected, "\(cut) \(number) after \(count) bytes")
            goesOn.signal()
            site.answer { _ in
                .stream(status: 200, headers: Self.eventStream) { writer in
                    writer.write(Array("data: {\"version\": \(number)}\n\n".utf8))
                }
            }
            let signals = await source.allSignals() ?? []
            #expect(signals.map(\.kind) == [.connected, .changed], "\(cut) \(number) after \(count) bytes")
            #expect(signals.last?.version == number)
        }
        #expect(try Self.openSockets(to: site.port) <= 8)
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
