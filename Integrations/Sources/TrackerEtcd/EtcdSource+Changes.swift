import Synchronization
public import TrackerFeatures

extension EtcdSource {
    // libcurl limits the duration of each request.
    private static let longestWatch = Duration.seconds(86_400)
    private static let maxRefusal = 4096

    /// Watches the key at one member.
    /// - Returns: The hints; nil if there are no endpoints.
    public func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        guard let member = client.member else { return nil }
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { hints in
            // Detached, so that the watch does not keep the tracking context of the current request.
            let task = Task.detached {
                let watch = Locked(EtcdWatch())
                var failure = await withTaskGroup(of: FetchError?.self) { group in
                    group.addTask { await self.receive(watch, at: member) { hints.yield(ChangeHint()) } }
                    group.addTask { await self.check(watch, at: member) }
                    defer { group.cancelAll() }
                    return await group.next() ?? nil
                }
                if let failed = failure, failed.isOfMember { self.client.leave(member) }
                if let failed = failure, failed.status == 401 {
                    // The next connection requests a new token.
                    self.client.forgetToken()
                    failure = FetchError(.transport, reason: failed.reason, cause: failed)
                }
                hints.finish(throwing: failure)
            }
            hints.onTermination = { _ in task.cancel() }
        }
    }

    /// - Returns: The failure of the watch; nil if it was cancelled, or if the request reached its time limit.
    private func receive(
        _ watch: Locked<EtcdWatch>, at member: String, _ hint: @escaping @Sendable () -> Void
    ) async -> FetchError? {
        let body = "{\"create_request\": {\"key\": \"\(key)\"}}"
        let refusal = Locked<[UInt8]>([])
        do throws(FetchError) {
            var request = try await client.request("/v3/watch", Array(body.utf8), at: member)
            request.timeout = Self.longestWatch
            // With this header, a member that has lost its leader ends the watch instead of leaving it without events.
            request.headers.append(HTTPHeader(name: "Grpc-Metadata-hasleader", value: "true"))
            let response: HTTPTransportResponse
            do throws(HTTPTransportError) {
                response = try await client.transport.stream(request) { head, bytes in
                    guard head.status == 200 else {
                        return refusal.value.withLock { refusal in
                            refusal += bytes
                            return refusal.count <= Self.maxRefusal
                        }
                    }
                    let (isNews, hasFailed) = watch.value.withLock { ($0.read(bytes), $0.failure != nil) }
                    if isNews { hint() }
                    return !hasFailed
                }
            } catch {
                let (failure, isOpen) = watch.value.withLock { ($0.failure, $0.isOpen) }
                if failure == nil, isOpen, error.code == .timeout { return nil }
                return failure ?? error.status.flatMap { $0 == 200 ? nil : FetchError(status: $0, []) }
                    ?? FetchError(error)
            }
            guard response.status == 200 else {
                return FetchError(status: response.status, refusal.value.withLock { $0 })
            }
            return watch.value.withLock { $0.failure } ?? FetchError(.transport, reason: "etcd closed the watch")
        } catch {
            return error
        }
    }

    /// Requests the revision of the key from the member at intervals.
    /// - Returns: The reason why the watch is dead; nil if it was cancelled.
    private func check(_ watch: Locked<EtcdWatch>, at member: String) async -> FetchError? {
        let timeout = client.options.timeout
        guard await sleeps(timeout) else { return nil }
        guard watch.value.withLock({ $0.isOpen }) else {
            return FetchError(.timeout, reason: "etcd did not confirm the watch within \(timeout)")
        }
        let body = Array("{\"key\": \"\(key)\", \"keys_only\": true, \"serializable\": true}".utf8)
        var lastAnswer = ContinuousClock.now
        while await sleeps(streamTimeout / 3) {
            do throws(FetchError) {
                let range: EtcdRange = try await client.call("/v3/kv/range", body, at: member)
                lastAnswer = .now
                let found = range.kvs?.first?.mod_revision?.value ?? 0
                guard found > watch.value.withLock({ $0.revision }) else { continue }
                // The event may still be on its way.
                guard await sleeps(timeout) else { return nil }
                guard found > watch.value.withLock({ $0.revision }) else { continue }
                return FetchError(.timeout, reason: "the watch of etcd has missed a change")
            } catch {
                if ContinuousClock.now - lastAnswer >= streamTimeout { return error }
            }
        }
        return nil
    }

    /// - Returns: False if the task was cancelled; `sleep` throws no other error.
    private func sleeps(_ duration: Duration) async -> Bool {
        (try? await Task.sleep(for: duration)) != nil
    }
}

/// A value that closures of several threads share.
private final class Locked<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}
