import Foundation
import Workload

/// A process of nginx with nchan.
struct Nginx {
    let url: String
    private let port: UInt16
    private let process = Process()

    init(in directory: String, heartbeat: Int) throws {
        port = try Self.freePort()
        url = "http://127.0.0.1:\(port)"
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
        let configuration = """
            daemon off; worker_processes 1; pid \(directory)/nginx.pid; error_log \(directory)/error.log;
            load_module /usr/lib/nginx/modules/ngx_nchan_module.so;
            \(geteuid() == 0 ? "user root;" : "")
            events { worker_connections 16384; }
            http {
              access_log off; \(temporary)
              server {
                listen 127.0.0.1:\(port) backlog=4096;
                location = /document.json { root \(directory); }
                location = /stream {
                  nchan_subscriber eventsource; nchan_channel_id document;
                  nchan_eventsource_event changed; nchan_subscriber_first_message newest;
                  \(heartbeat > 0 ? "nchan_eventsource_ping_interval \(heartbeat);" : "")
                }
                location = /publish { nchan_publisher; nchan_channel_id document; nchan_message_buffer_length 1; }
              }
            }
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(directory)/nginx.conf"))
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
        process.arguments = ["-p", directory, "-e", "\(directory)/error.log", "-c", "\(directory)/nginx.conf"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        for _ in 0..<500 {
            if let socket = try? Self.connect(port) {
                close(socket)
                return
            }
            usleep(10_000)
        }
        process.terminate()
        let log = (try? String(contentsOfFile: "\(directory)/error.log", encoding: .utf8)) ?? ""
        throw BenchmarkError("nginx does not start (is libnginx-mod-nchan installed?): \(log)")
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Sends a body, and waits for the answer.
    func post(_ body: String, to path: String) throws {
        let socket = try Self.connect(port)
        defer { close(socket) }
        let request = """
            POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        var answer = [UInt8](repeating: 0, count: 4096)
        guard write(socket, request, request.utf8.count) == request.utf8.count,
            case let count = read(socket, &answer, answer.count), count > 0,
            String(decoding: answer[..<count], as: UTF8.self).hasPrefix("HTTP/1.1 20")
        else { throw BenchmarkError("nginx does not take the signal") }
    }

    private static func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let status = withAddress(port) { Foundation.connect(descriptor, $0, $1) }
        guard status == 0 else {
            close(descriptor)
            throw BenchmarkError("no connection to port \(port)")
        }
        return descriptor
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { named in
                withAddress(0) { bind(descriptor, $0, $1) } == 0 ? getsockname(descriptor, named, &length) : -1
            }
        }
        guard status == 0 else { throw BenchmarkError("no port on loopback") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
