import Foundation
import HTTPSink

/// Takes requests until standard input ends; `sink measure` says how much it can take.
@main
enum Sink {
    static func main() throws {
        SinkProcess.serveIfAsked()
        guard CommandLine.arguments.dropFirst().first == "measure" else { SinkProcess.serve() }
        let sink = try SinkProcess()
        for size in [50_000, 450_000] { try measure(sink, bodySize: size, seconds: 1) }
    }

    /// Sends bodies over one connection, each after the answer to the one before.
    private static func measure(_ sink: SinkProcess, bodySize: Int, seconds: Double) throws {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(sink.url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
        let head = "POST /com.snowplowanalytics.snowplow/tp2 HTTP/1.1\r\nContent-Length: \(bodySize)\r\n\r\n"
        let request = Array(head.utf8) + [UInt8](repeating: 0x20, count: bodySize)
        var answer = [UInt8](repeating: 0, count: 4096)
        let start = Date()
        var count = 0
        while Date().timeIntervalSince(start) < seconds {
            var sent = 0
            while sent < request.count {
                sent += request.withUnsafeBytes { write(client, $0.baseAddress! + sent, request.count - sent) }
            }
            guard read(client, &answer, answer.count) > 0 else { throw POSIXError(.ECONNRESET) }
            count += 1
        }
        let rate = Double(count) / Date().timeIntervalSince(start)
        print(
            "{\"figure\":\"sink_limit\",\"body_bytes\":\(bodySize),\"requests_per_s\":\(Int(rate)),"
                + "\"mb_per_s\":\(Int(rate * Double(bodySize) / 1e6))}")
        close(client)
    }
}
