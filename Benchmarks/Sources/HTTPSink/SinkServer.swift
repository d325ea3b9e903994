import Foundation
import Synchronization

/// Takes HTTP requests on loopback and answers each with 200, as fast as one thread per connection can.
package final class SinkServer: Sendable {
    /// Takes the body of each request; called on the connection's thread before the answer is sent.
    package typealias BodyHandler = @Sendable (UnsafeRawBufferPointer) -> Void

    /// The port that the system chose.
    package let port: UInt16
    let requests = Atomic<Int>(0)
    let bodyBytes = Atomic<Int>(0)
    let onBody: BodyHandler?
    let document: [UInt8]?
    private let descriptor: Int32

    /// The URL of the server, without a path.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Starts to listen.
    /// - Parameters:
    ///   - document: What GET requests without a tag are answered with; those with a tag get 304.
    ///   - onBody: Takes the bodies; without it the kernel discards them and they are never copied.
    package init(document: [UInt8]? = nil, onBody: BodyHandler? = nil) {
        self.document = document
        self.onBody = onBody
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        precondition(isListening, "no port on loopback")
        port = UInt16(bigEndian: address.sin_port)
        // A client that goes away in the middle of an answer is no reason to die.
        signal(SIGPIPE, SIG_IGN)
        Thread { self.acceptAll() }.start()
    }

    private func acceptAll() {
        while true {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { continue }
            var isOn: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
            Thread { SinkConnection(client, of: self).serve() }.start()
        }
    }

    var statistics: String {
        "{\"requests\":\(requests.load(ordering: .relaxed)),\"bodyBytes\":\(bodyBytes.load(ordering: .relaxed))}\n"
    }
}
