import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import TrackerConfig
import TrackerConsole
import TrackerHummingbird
import TrackerLifecycle

/// A service that takes orders: its requests are tracked, what it charges is read from the remote document, and a console
/// shows and turns both.
@main
enum OrdersService {
    static func main() async throws {
        let logger = Logger(label: "orders")
        let settings = try ServiceSettings()
        let setup = try settings.setup(logger)
        let router = Router(context: TrackingRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addConsole(WebConsole(setup, options: settings.console))
        router.addHealthAndMetrics(setup)
        // These apply to what is added after them: requests to the console, of probes and of Prometheus are not tracked.
        router.add(middleware: TrackingMiddleware { request, _ in request.headers[.userID] })
        router.add(middleware: TrackRequests(setup))
        OrderRoutes(orders: OrderBook(), shipping: Shipping(setup)).add(to: router)
        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(settings.host, port: settings.port)),
            logger: logger)
        // They are shut down in the reverse order: when the last request has been tracked, the setup sends its event.
        var configuration = ServiceGroupConfiguration(
            services: [SetupService(setup, logger: logger), server], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        // A client that reads nothing of a long answer must not keep the process.
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            logger.critical("\(error)")
            exit(1)
        }
    }
}

extension HTTPField.Name {
    // A service of yours takes the user from its authentication.
    fileprivate static let userID = Self("X-User-Id")!
}
