import Foundation
import TrackerTesting

/// A certificate authority of a test's own, with a certificate for this machine, made by the `openssl` command.
package struct CertificateAuthority {
    private let directory = TemporaryDirectory()

    /// The authority's certificate, in PEM form.
    package var certificate: String { directory.file("ca.pem") }

    /// The server's certificate for `localhost` and 127.0.0.1, in PEM form.
    package var serverCertificate: String { directory.file("server.pem") }

    /// The server's key.
    package var serverKey: String { directory.file("server.key") }

    /// Makes an authority and a server's certificate that it signed.
    package init() throws {
        directory.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n", to: "names")
        try Self.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=Test CA", "-keyout", directory.file("ca.key"), "-out", certificate)
        try Self.run(
            "openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=localhost", "-keyout", serverKey, "-out", directory.file("server.csr"))
        try Self.run(
            "openssl", "x509", "-req", "-in", directory.file("server.csr"), "-CA", certificate, "-CAkey",
            directory.file("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", directory.file("names"), "-out",
            serverCertificate)
    }

    private struct Failed: Error {}

    private static func run(_ words: String...) throws {
        guard try ChildProcess(words).wait() else { throw Failed() }
    }
}
