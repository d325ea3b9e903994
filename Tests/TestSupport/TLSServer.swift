import Foundation

/// A TLS server on this machine that answers each GET with 200; `openssl s_server`.
package final class TLSServer {
    /// The server's address, without a slash at the end.
    package let url: String

    private let process: ChildProcess

    /// Starts a server.
    /// - Parameters:
    ///   - authority: The authority whose server certificate it shows.
    ///   - protocols: The protocols that it prefers, the best one first; nil for no choice.
    /// - Throws: An error if `openssl` does not start.
    package init(_ authority: CertificateAuthority, protocols: String? = nil) throws {
        let process = try ChildProcess(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", authority.serverCertificate, "-key"]
                + [authority.serverKey] + (protocols.map { ["-alpn", $0] } ?? []))
        var text = ""
        // It prints "ACCEPT 127.0.0.1:40001".
        while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
            let data = process.available()
            if data.isEmpty { throw Failed() }
            text += String(decoding: data, as: UTF8.self)
        }
        let port = text.split(whereSeparator: { ": \n".contains($0) }).compactMap { Int($0) }.last
        guard let port else { throw Failed() }
        url = "https://127.0.0.1:\(port)"
        self.process = process
    }

    deinit {
        process.terminate()
        _ = process.wait()
    }

    private struct Failed: Error {}
}
