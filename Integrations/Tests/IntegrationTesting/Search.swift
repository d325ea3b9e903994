import IntegrationsPlatform

/// A test that tries many faults: few in `swift test`, and more each night.
package enum Search {
    /// The number of faults to try.
    /// - Parameter usual: The number in `swift test`.
    /// - Returns: 50 times as many if the environment has `TRACKER_CONFIG_LONG_SEARCHES`.
    package static func count(_ usual: Int) -> Int {
        getenv("TRACKER_CONFIG_LONG_SEARCHES") == nil ? usual : usual * 50
    }
}
