import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// A process that starts a service over a directory, applies a version and comes to its end; for exit tests.
enum EndingProcess {
    /// How it ends.
    enum End: String, Codable, Sendable, CaseIterable {
        /// A crash.
        case abort
        /// A crash with three setups.
        case three
        /// A signal that the service does not handle.
        case terminate
        /// The end of a short job that does not shut its setup down.
        case exitZero
        /// The end that the documentation asks for, and then a crash.
        case shutdown
        /// The service lets go of its setup, lives on and crashes later.
        case letGo
        /// The service says that it is well, and crashes later.
        case confirm
        /// It outlives the window, and crashes later.
        case outlive
    }

    /// What a process is to do.
    struct Plan: Codable, Sendable {
        let directory: String
        let document: String
        let end: End

        /// Starts with what is cached, or else with the document as it is fetched, and ends.
        func run() async throws {
            try await EndingProcess.run(in: directory, document: document, end)
        }
    }

    private static func run(in directory: String, document: String, _ end: End) async throws {
        let transport = ScriptedTransport()
        let body = Array(document.utf8)
        transport.respond { _ in .success(HTTPTransportResponse(status: 200, body: body)) }
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/cache"
        options.stateDirectory = "\(directory)/state"
        options.transport = transport
        // Only a process that is to outlive the window does so, however slow the machine is.
        let time = ManualTime()
        options.time = time
        var setup: Setup? = try Setup(remote: RemoteConfiguration(endpoint: Service.url), options: options)
        // The refresh is the setup's first fetch; what is cached is in use already.
        _ = await setup?.refresh()
        switch end {
        case .abort: break
        case .three:
            for _ in 0..<2 {
                let other = try Setup(remote: RemoteConfiguration(endpoint: Service.url), options: options)
                _ = await other.refresh()
                // Lives until the end, with the others.
                _ = Unmanaged.passRetained(other)
            }
        case .terminate:
            signal(SIGTERM, SIG_DFL)
            kill(getpid(), SIGTERM)
            // A thread of Swift's pool blocks the signal, which then arrives on another one.
            while true { pause() }
        case .exitZero: exit(0)
        case .shutdown: await setup?.shutdown(timeout: .zero)
        case .letGo: setup = nil
        case .confirm: setup?.confirmHealthy()
        case .outlive:
            try await waitUntil("the window is over") {
                time.advance(by: CrashGuard().window)
                return setup?.updater.parts.versions.watch?.watched == nil
            }
        }
        withExtendedLifetime(setup) {}
        Foundation.abort()
    }
}
