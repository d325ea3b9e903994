import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import TrackerConfig
import TrackerConsole
import TrackerHummingbird
import TrackerHummingbirdConsole
import TrackerLifecycle

/// A service that takes orders: its requests are tracked, what it charges is read from the remote document, and a console
/// shows and turns both.
@main
enum OrdersService {
    static func main() async throws {
        let logger = Logger(label: "orders")
        let settings = try ServiceSettings()
        let setup = try settings.setup(logger)
        let server = Application(
            router: router(setup, staff: settings.staff),
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

    /// Everything that the service answers.
    static func router(_ setup: Setup, staff: [String: String] = [:]) -> Router<OrdersContext> {
        let router = Router(context: OrdersContext.self, options: .autoGenerateHeadEndpoints)
        router.addHealthAndMetrics(setup)
        var options = ConsoleOptions()
        options.title = "orders"
        options.allowsChanges = !staff.isEmpty
        router.group().add(middleware: StaffLogin(passwords: staff))
            .addConsole(WebConsole(setup, options: options)) { _, context in context.staff }
        // These apply to what is added after them: requests to the console, of probes and of Prometheus are not tracked.
        router.add(middleware: CustomerLogin())
        router.add(
            middleware: TrackingMiddleware { _, context in
                context.customer?.id
            } evaluation: { _, context, evaluation in
                evaluation.attributes["plan"] = context.customer.map { .string($0.plan) }
            })
        router.add(middleware: TrackRequests(setup))
        OrderRoutes(setup: setup).add(to: router)
        return router
    }
}
