import Foundation
import Synchronization

/// One client's connection: requests one after the other until it goes away.
final class SinkConnection {
    private static let capacity = 64 << 10
    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    private static let notModified = Array("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".utf8)
    private static let lengthName = "content-length:"

    private let descriptor: Int32
    private let server: SinkServer
    private let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity + 1, alignment: 16)
    private var filled = 0

    private var text: UnsafeMutablePointer<CChar> { buffer.assumingMemoryBound(to: CChar.self) }

    init(_ descriptor: Int32, of server: SinkServer) {
        self.descriptor = descriptor
        self.server = server
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    func serve() {
        while let headSize = receiveHead() {
            let length = contentLength(headSize)
            let isQuestion = memcmp(buffer, "GET /stats ", 11) == 0
            let document = memcmp(buffer, "GET ", 4) == 0 ? server.document : nil
            let hasTag = document != nil && header("if-none-match:", headSize) != nil
            guard takeBody(from: headSize, length: length) else { return }
            if isQuestion {
                let text = server.statistics
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
                guard send(Array(answer.utf8)) else { return }
            } else if let document {
                let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(document.count)\r\n\r\n"
                guard send(hasTag ? Self.notModified : Array(head.utf8) + document) else { return }
            } else {
                server.requests.add(1, ordering: .relaxed)
                server.bodyBytes.add(length, ordering: .relaxed)
                guard send(Self.answer) else { return }
            }
        }
    }

    /// Reads until a request's head is there.
    /// - Returns: Its length with the empty line, nil where the client has gone.
    private func receiveHead() -> Int? {
        while true {
            // The search for text ends at a zero; there is one byte more than is ever filled.
            text[filled] = 0
            if let end = strstr(text, "\r\n\r\n") { return end - text + 4 }
            guard filled < Self.capacity else { return nil }
            let count = recv(descriptor, buffer + filled, Self.capacity - filled, 0)
            guard count > 0 else { return nil }
            filled += count
        }
    }

    private func contentLength(_ headSize: Int) -> Int {
        header(Self.lengthName, headSize).map { atol($0) } ?? 0
    }

    /// A header's value, nil where the head has none of the name.
    private func header(_ name: String, _ headSize: Int) -> UnsafeMutablePointer<CChar>? {
        var line = text
        while let end = strstr(line, "\r\n"), end - text + 4 < headSize {
            line = end + 2
            let length = name.utf8.count
            if strncasecmp(line, name, length) == 0 { return line + length }
        }
        return nil
    }

    /// Takes the body out of the connection; what was read beyond it is the beginning of the next request.
    private func takeBody(from headSize: Int, length: Int) -> Bool {
        let here = min(filled - headSize, length)
        if let onBody = server.onBody {
            var body = [UInt8](repeating: 0, count: length)
            let isWhole = body.withUnsafeMutableBytes { body in
                guard let start = body.baseAddress else { return true }
                memcpy(start, buffer + headSize, here)
                var count = here
                while count < length {
                    let more = recv(descriptor, start + count, length - count, 0)
                    guard more > 0 else { return false }
                    count += more
                }
                return true
            }
            guard isWhole else { return false }
            body.withUnsafeBytes(onBody)
        } else {
            var left = length - here
            while left > 0 {
                // The kernel discards the bytes (tcp(7), MSG_TRUNC).
                let count = recv(descriptor, nil, left, Int32(MSG_TRUNC))
                guard count > 0 else { return false }
                left -= count
            }
        }
        filled -= headSize + here
        memmove(buffer, buffer + headSize + here, filled)
        return true
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + sent, bytes.count - sent) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
