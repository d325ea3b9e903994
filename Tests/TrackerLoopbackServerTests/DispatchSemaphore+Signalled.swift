import Foundation

extension DispatchSemaphore {
    /// Waits for a signal; false where none comes within half a minute, so that a broken server cannot hang a test.
    var isSignalled: Bool {
        wait(timeout: .now() + 30) == .success
    }
}
