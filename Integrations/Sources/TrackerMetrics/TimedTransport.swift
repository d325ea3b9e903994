public import CoreMetrics
public import TrackerCore

/// A transport that measures the duration of another transport's requests.
///
/// ```swift
/// options.transport = TimedTransport(CurlTransport())
/// ```
///
/// The timer is `trackerconfig_request_duration`, with the dimensions `method` and `result`: `2xx` … `5xx`, or the code
/// of the failure, such as `timeout`.
public struct TimedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let factory: any MetricsFactory
    private let label: String
    private let uptime: @Sendable () -> Duration

    /// Creates a transport.
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - factory: The factory of the timers; by default the factory that the service has bootstrapped.
    ///   - prefix: The prefix of the timer's name; `trackerconfig_` by default.
    public init(
        _ transport: any HTTPTransport, factory: any MetricsFactory = MetricsSystem.factory,
        prefix: String = "trackerconfig_"
    ) {
        let start = ContinuousClock.now
        self.init(transport, factory: factory, prefix: prefix) { start.duration(to: .now) }
    }

    init(
        _ transport: any HTTPTransport, factory: any MetricsFactory, prefix: String,
        uptime: @escaping @Sendable () -> Duration
    ) {
        (self.transport, self.factory, self.uptime) = (transport, factory, uptime)
        label = prefix + "request_duration"
    }

    /// Sends a request, and records its duration.
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The error of the other transport.
    public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let start = uptime()
        do throws(HTTPTransportError) {
            let response = try await transport.send(request)
            record(request.method, "\(response.status / 100)xx", since: start)
            return response
        } catch {
            record(request.method, error.code.rawValue, since: start)
            throw error
        }
    }

    /// Opens a stream of the other transport. Streams last for hours, so their durations are not recorded.
    /// - Parameters:
    ///   - request: The request.
    ///   - receive: Receives the pieces of the body.
    /// - Returns: The response, without the body.
    /// - Throws: The error of the other transport.
    public func stream(
        _ request: HTTPTransportRequest,
        receive: @escaping @Sendable (_ head: HTTPTransportResponse, _ piece: [UInt8]) -> Bool
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        try await transport.stream(request, receive: receive)
    }

    private func record(_ method: String, _ result: String, since start: Duration) {
        // A factory makes one handler for all metrics with the same name and dimensions.
        let timer = Timer(label: label, dimensions: [("method", method), ("result", result)], factory: factory)
        timer.recordNanoseconds(Int64((uptime() - start) / .nanoseconds(1)))
    }
}
