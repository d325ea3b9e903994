import FoundationEssentials
import Synchronization
import TrackerFeatures

/// A client of etcd's JSON gateway that tries the members in turn and renews its token.
final class EtcdClient: Sendable {
    private struct State: Sendable {
        /// The index of the member to try first.
        var member = 0
        var token: String?
    }

    let options: EtcdOptions
    let transport: CurlTransport
    private let state = Mutex(State())

    init(_ options: EtcdOptions, _ transport: CurlTransport) {
        (self.options, self.transport) = (options, transport)
    }

    /// The URL of the member to try first; nil if there is none.
    var member: String? {
        guard !options.endpoints.isEmpty else { return nil }
        return options.endpoints[state.withLock { $0.member } % options.endpoints.count]
    }

    /// Tries another member first from now on.
    /// - Parameter member: The member that failed. If it is no longer the first one, nothing changes.
    func leave(_ member: String) {
        guard self.member == member else { return }
        state.withLock { $0.member += 1 }
    }

    /// Discards the token, so that the next call requests a new one.
    func forgetToken() {
        state.withLock { $0.token = nil }
    }

    /// Calls the members in turn until one answers.
    /// - Parameters:
    ///   - path: The path of the call.
    ///   - body: The request in JSON.
    ///   - maxSize: The maximum size of the answer in bytes.
    /// - Returns: The answer.
    /// - Throws: The error of the last member, or the first error that is not specific to a member.
    func call<Answer: Decodable>(
        _ path: String, _ body: [UInt8], maxSize: Int = 65_536
    ) async throws(FetchError) -> Answer {
        var failure = FetchError(.transport, reason: "no endpoint of etcd is named")
        for _ in options.endpoints {
            guard let member else { break }
            do throws(FetchError) {
                return try await call(path, body, at: member, maxSize: maxSize)
            } catch {
                guard error.isOfMember else { throw error }
                leave(member)
                failure = error
            }
        }
        throw failure
    }

    /// Calls one member; a rejected token is renewed once.
    func call<Answer: Decodable>(
        _ path: String, _ body: [UInt8], at member: String, maxSize: Int = 65_536
    ) async throws(FetchError) -> Answer {
        let request = try await request(path, body, at: member, maxSize: maxSize)
        do throws(FetchError) {
            return try await send(request)
        } catch {
            guard error.status == 401, options.username != nil else { throw error }
            forgetToken()
            return try await send(try await self.request(path, body, at: member, maxSize: maxSize))
        }
    }

    /// A request with the user's token, which is requested first if it is missing.
    func request(
        _ path: String, _ body: [UInt8], at member: String, maxSize: Int = 65_536
    ) async throws(FetchError) -> HTTPTransportRequest {
        var request = plainRequest(path, body, at: member, maxSize: maxSize)
        guard let name = options.username else { return request }
        var token = state.withLock { $0.token }
        if token == nil {
            let user = ["name": name, "password": options.password ?? ""]
            // Strings can always be encoded.
            let body = (try? JSONEncoder().encode(user)).map { Array($0) } ?? []
            let answer: EtcdToken = try await send(
                plainRequest("/v3/auth/authenticate", body, at: member, maxSize: 65_536))
            token = answer.token
            state.withLock { $0.token = answer.token }
        }
        request.headers.append(HTTPHeader(name: "Authorization", value: token ?? ""))
        return request
    }

    private func plainRequest(_ path: String, _ body: [UInt8], at member: String, maxSize: Int) -> HTTPTransportRequest
    {
        HTTPTransportRequest(
            method: "POST", url: (member.hasSuffix("/") ? String(member.dropLast()) : member) + path,
            headers: [HTTPHeader(name: "Content-Type", value: "application/json")], body: body,
            timeout: options.timeout, maxResponseSize: maxSize, certificateFile: options.certificateFile)
    }

    private func send<Answer: Decodable>(_ request: HTTPTransportRequest) async throws(FetchError) -> Answer {
        let response: HTTPTransportResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(request)
        } catch {
            throw FetchError(error)
        }
        guard response.status == 200 else { throw FetchError(status: response.status, response.body) }
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(response.body))
        } catch {
            throw FetchError(.transport, reason: "the answer of \(request.url) is not etcd's", cause: error)
        }
    }
}

extension FetchError {
    init(_ error: HTTPTransportError) {
        let code: NamedCode<FetchError> =
            switch error.code {
            case .timeout: .timeout
            case .responseTooLarge: .tooLarge
            case .cancelled: .shutDown
            default: .transport
            }
        self.init(code, reason: error.reason, cause: error)
    }

    /// The error of an answer with a status other than 200.
    init(status: Int, _ body: [UInt8]) {
        // A proxy answers with its own text.
        let failure = try? JSONDecoder().decode(EtcdFailure.self, from: Data(body))
        let text = failure?.message ?? failure?.error
        self.init(.status, reason: "etcd answered \(status)\(text.map { ": \($0)" } ?? "")", status: status)
    }

    /// Whether another member may answer: this one is unreachable, hangs, or has no leader.
    var isOfMember: Bool { code == .transport || code == .timeout || (status ?? 0) >= 500 }
}
