import TrackerCore

/// A request under way, and what becomes of it.
final class Flight {
    let life: Int
    let namespace: Int
    let request: CollectorRequest
    let ids: [Int]
    /// Whether the collector takes the events, which it may do and not say.
    let isTaken: Bool
    let result: Result<HTTPTransportResponse, HTTPTransportError>
    /// Whether the collector had the request.
    var hasArrived = false
    /// Whether the service has the answer.
    var isAnswered = false

    init(
        life: Int, namespace: Int, request: CollectorRequest, isTaken: Bool,
        result: Result<HTTPTransportResponse, HTTPTransportError>
    ) {
        (self.life, self.namespace, self.request) = (life, namespace, request)
        (self.isTaken, self.result) = (isTaken, result)
        ids = request.events.compactMap(Ledger.id)
    }
}

/// The network between the service and its servers.
struct Network {
    enum Weather: String, CaseIterable {
        case fine, slow, lossy, lying, refusing, down
    }

    /// What becomes of a request.
    struct Fate {
        let isTaken: Bool
        let result: Result<HTTPTransportResponse, HTTPTransportError>
        /// Milliseconds until the request is at the collector, and until its answer is at the service.
        let arrival: Int
        let answer: Int
        let name: String
    }

    /// A collector that refuses everything; bad documents name it.
    static let badHost = "bad.example"

    var weather = Weather.fine
    /// The weather on the way to the server of the documents.
    var documentWeather = Weather.fine

    /// Decides what becomes of a request to a collector.
    func fate(of request: CollectorRequest, to endpoint: EndpointURL, _ dice: Dice) -> Fate {
        let delay = weather == .slow ? dice.within(500...20_000) : dice.within(1...400)
        let answer = delay + dice.within(1...200)
        func answered(_ status: Int, _ headers: [HTTPHeader] = []) -> Fate {
            Fate(
                isTaken: 200...299 ~= status,
                result: .success(HTTPTransportResponse(status: status, headers: headers)), arrival: delay,
                answer: answer, name: "\(status)")
        }
        func failed(_ name: String, isTaken: Bool, status: Int? = nil) -> Fate {
            Fate(
                isTaken: isTaken, result: .failure(HTTPTransportError(.failed, reason: name, status: status)),
                // A request whose answer is lost may be on its way for longer than the service waits.
                arrival: isTaken ? dice.within(1...40_000) : delay, answer: dice.within(1...30_000), name: name)
        }
        if endpoint.text.contains(Self.badHost) { return answered(500) }
        let size = request.events.reduce(0) { $0 + $1.payload.count }
        if size > 6_000, dice.chance(percent: 40) { return answered(413) }
        switch weather {
        case .fine, .slow:
            return dice.chance(percent: 97) ? answered(200) : answered(dice.pick([202, 500, 503, 429]))
        case .lossy:
            return dice.chance(percent: 50) ? answered(200) : failed("the request was lost", isTaken: false)
        case .lying:
            return switch dice.below(4) {
            case 0: failed("the answer was lost", isTaken: true)
            case 1: failed("the connection broke after 200", isTaken: true, status: 200)
            case 2: failed("the answer was lost", isTaken: dice.chance(percent: 50))
            default: answered(200)
            }
        case .refusing:
            let wait = HTTPHeader(name: "Retry-After", value: "\(dice.within(1...300))")
            return dice.chance(percent: 30)
                ? answered(dice.pick([400, 403, 410, 422])) : answered(dice.pick([429, 503, 500, 502]), [wait])
        case .down: return failed("the collector cannot be reached", isTaken: false)
        }
    }
}
