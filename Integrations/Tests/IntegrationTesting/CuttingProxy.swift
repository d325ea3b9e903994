import Foundation
import Synchronization

/// Forwards connections to a port of this machine, and cuts them or lets them hang.
package final class CuttingProxy: Sendable {
    private final class Link: Sendable {
        let ends: [Int32]
        let hangs = Mutex(false)
        /// The copies in progress; when there are none, the descriptors may be those of others.
        private let copies = Mutex(2)

        init(_ client: Int32, _ server: Int32) {
            ends = [client, server]
        }

        func copy(from: Int, to: Int) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(ends[from], &buffer, buffer.count, 0)
                guard count > 0 else { break }
                if hangs.withLock({ $0 }) { continue }
                var sent = 0
                while sent < count {
                    let written = buffer[sent..<count].withUnsafeBytes {
                        send(ends[to], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { break }
                    sent += written
                }
            }
            cut()
            copies.withLock { copies in
                copies -= 1
                if copies == 0 { for end in ends { close(end) } }
            }
        }

        func cut() {
            copies.withLock { copies in
                if copies > 0 { for end in ends { shutdown(end, Int32(SHUT_RDWR)) } }
            }
        }
    }

    /// The port that it listens on.
    package let port: Int
    private let listener: Int32
    private let links = Mutex<[Link]>([])

    /// Starts to listen.
    /// - Parameter target: The port to forward to.
    package init(to target: Int) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = Self.bind(listener)
        listen(listener, 100)
        let listener = listener
        Thread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                // No server that a test starts keeps it open.
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                guard Self.connect(server, to: target), let self else {
                    close(client)
                    close(server)
                    continue
                }
                let link = Link(client, server)
                links.withLock { $0.append(link) }
                for (from, to) in [(0, 1), (1, 0)] { Thread { link.copy(from: from, to: to) }.start() }
            }
            close(listener)
        }.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The ports that were returned: a server may not have bound its own yet.
    private static let returnedPorts = Mutex<Set<Int>>([])

    /// A port that is free, another one each time: below those that the system gives to other programs, one of which
    /// could have it next.
    package static func freePort() -> Int {
        let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let first = range?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768
        while true {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            let port = Int.random(in: first / 2..<first)
            var address = address(port)
            let isFree = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree, returnedPorts.withLock({ $0.insert(port).inserted }) { return port }
        }
    }

    /// Closes all connections.
    package func cut() {
        let open = links.withLock { links in
            defer { links = [] }
            return links
        }
        for link in open { link.cut() }
    }

    /// Forwards nothing more on the connections that are open; new ones are forwarded.
    package func hang() {
        for link in links.withLock({ $0 }) { link.hangs.withLock { $0 = true } }
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Binds a socket to a port that is free, and returns the port.
    package static func bind(_ descriptor: Int32) -> Int {
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = Glibc.bind(descriptor, pointer, length)
                _ = getsockname(descriptor, pointer, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func connect(_ descriptor: Int32, to port: Int) -> Bool {
        var address = address(port)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
