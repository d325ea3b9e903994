import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import TrackerConfig
import TrackerConsole

/// A service that takes orders: its requests are tracked, what it charges is read from the remote document, and a console
/// shows and turns both.
@main
enum OrdersService {
    static func main() async throws {
        let logger = Logger(label: "orders")
        let settings = try ServiceSettings()
        let setup = try settings.setup(logger)
        let router = Router(context: OrdersRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.mount(WebConsole(setup, options: settings.console))
        // Applies to what is added after it: the console's own requests are not tracked.
        router.add(middleware: TrackRequests(setup))
        OrderRoutes(orders: OrderBook(), shipping: Shipping(setup)).add(to: router)
        let server = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname(port: settings.port)),
            logger: logger)
        // They are shut down in the reverse order: when the last request has been tracked, the setup sends its event.
        var configuration = ServiceGroupConfiguration(
            services: [SetupService(setup, logger), server], gracefulShutdownSignals: [.sigterm, .sigint],
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
