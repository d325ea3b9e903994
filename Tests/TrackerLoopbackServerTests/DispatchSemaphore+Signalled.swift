import Foundation

extension DispatchSemaphore {
    /// Waits for a signal; false where none comes within two minutes, so that a broken server cannot hang a test.
    var isSignalled: Bool {
        wait(timeout: .now() + 120) == .success
    }
}
