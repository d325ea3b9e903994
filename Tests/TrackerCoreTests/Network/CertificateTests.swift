import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerLoopbackServer

/// Which servers a request trusts, over real TLS connections.
@Suite("Certificates", .endsWhenItHangs, .mayBlock)
struct CertificateTests {
    private static let authority = Result { try CertificateAuthority() }
    private static let other = Result { try CertificateAuthority() }

    private let directory = TemporaryDirectory()

    private func answer(_ url: String, _ file: String?) async -> Result<Int, HTTPTransportError> {
        do throws(HTTPTransportError) {
            let request = HTTPTransportRequest(method: "GET", url: url + "/i", certificateFile: file)
            return .success(try await CurlTransport().send(request).status)
        } catch {
            return .failure(error)
        }
    }

    private func reason(_ result: Result<Int, HTTPTransportError>) -> String {
        if case .failure(let error) = result { error.reason } else { "" }
    }

    @Test("a certificate file is trusted instead of the system's certificates, which do not know a private CA")
    func privateAuthority() async throws {
        let authority = try Self.authority.get()
        let server = try TLSServer(authority)
        #expect(await answer(server.url, authority.certificate) == .success(200))
        let unknown = reason(await answer(server.url, nil))
        #expect(
            unknown
                == "SSL certificate problem: unable to get local issuer certificate (trusted: the system's CA certificates)"
        )
    }

    @Test("a certificate file that was replaced is read again for the next connection")
    func replacedFile() async throws {
        let (old, new) = (try Self.authority.get(), try Self.other.get())
        let file = directory.file("ca.pem")
        let transport = CurlTransport()
        for authority in [old, new] {
            let text = try String(contentsOfFile: authority.certificate, encoding: .utf8)
            directory.write(text, to: "ca.pem")
            let server = try TLSServer(authority)
            let request = HTTPTransportRequest(method: "GET", url: server.url, certificateFile: file)
            #expect(try await transport.send(request).status == 200)
        }
    }

    @Test("a server that prefers HTTP/2 is asked by HTTP/1.1")
    func usesFirstVersion() async throws {
        let authority = try Self.authority.get()
        let server = try TLSServer(authority, protocols: "h2,http/1.1")
        #expect(await answer(server.url, authority.certificate) == .success(200))
    }

    @Test("a port that does not speak TLS is named as the cause")
    func plainText() async throws {
        let listener = try Listener(address: "127.0.0.1", port: 0)
        async let answered: Void = Threads.run {
            guard let socket = listener.accept() else { return }
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { _ = socket.receive(into: $0) }
            _ = socket.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        }
        let text = reason(await answer("https://127.0.0.1:\(listener.port)", nil))
        await answered
        listener.close()
        #expect(text.hasPrefix("the server's port does not speak TLS: check the scheme and the port ("))
    }

    @Test("a server that another CA signed is refused, and the error says why and what is trusted")
    func otherAuthority() async throws {
        let file = try Self.other.get().certificate
        let server = try TLSServer(try Self.authority.get())
        let text = reason(await answer(server.url, file))
        #expect(text.hasPrefix("SSL certificate problem: "))
        #expect(text.hasSuffix("(trusted: \(file))"))
    }

    @Test("a certificate for another host is refused, with the host's name")
    func otherHost() async throws {
        let authority = try Self.authority.get()
        let server = try TLSServer(authority)
        let url = server.url.replacing("127.0.0.1", with: "127.0.0.2")
        #expect(reason(await answer(url, authority.certificate)) != "")
    }

    @Test("a certificate file that cannot be used is named with the cause")
    func unusableFile() async throws {
        let server = try TLSServer(try Self.authority.get())
        let garbage = directory.file("garbage.pem")
        directory.write("no certificate", to: "garbage.pem")
        let causes = [
            "/nonexistent/ca.pem": "cannot open /nonexistent/ca.pem: No such file or directory",
            garbage: "no certificate in PEM form was found in \(garbage)",
            directory.path: "\(directory.path) is not a file",
        ]
        for (file, cause) in causes {
            #expect(reason(await answer(server.url, file)) == "the certificate file cannot be used: \(cause)")
        }
    }

    @Test("a request whose certificate file libcurl does not take fails, and does not trust the system instead")
    func refusedOption() async throws {
        let server = try LoopbackServer { _ in .response(status: 200) }
        // libcurl takes no text of more than 8,000,000 bytes.
        let text = reason(await answer(server.url, String(repeating: "a", count: 8_000_001)))
        #expect(text == "libcurl cannot trust the certificate file instead of the system's certificates")
    }

    @Test("a tracker delivers to a collector of a private CA that its settings name")
    func tracker() async throws {
        let authority = try Self.authority.get()
        let server = try TLSServer(authority)
        let pipeline = EventPipeline(stateDirectory: nil)
        var bundle = ConfigurationBundle.sample()
        bundle.network = NetworkConfiguration(endpoint: server.url, method: .get)
        bundle.network?.certificateFile = authority.certificate
        let tracker = try Tracker(bundle, pipeline: pipeline)
        tracker.track(1...3)
        #expect(await pipeline.shutdown(timeout: .seconds(600)).sent == 3)
    }
}
