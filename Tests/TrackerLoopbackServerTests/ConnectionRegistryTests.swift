import Foundation
import TestSupport
import Testing

@testable import TrackerLoopbackServer

/// Which connection gives way when there are too many.
@Suite("Connections of a server", .endsWhenItHangs)
struct ConnectionRegistryTests {
    @Test("a connection waits from when it was accepted, however late its thread starts")
    func lateThread() throws {
        let registry = ConnectionRegistry()
        var peers: [Int32] = []
        defer { peers.forEach { close($0) } }
        func accept() throws -> Int {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            peers.append(pair[1])
            return try #require(registry.add(Socket(owning: pair[0])))
        }
        let (first, second) = (try accept(), try accept())
        registry.setWaiting(second, true)
        registry.setWaiting(first, true)
        let third = try accept()
        registry.setWaiting(third, true)
        #expect(registry.closeWaiting(before: third))
        var byte: UInt8 = 0
        #expect(peers.map { recv($0, &byte, 1, Int32(MSG_DONTWAIT)) } == [0, -1, -1])
    }
}
