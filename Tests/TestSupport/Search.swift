import TrackerPlatform

/// A test that tries many random inputs: the same few in `swift test`, and others and more each night.
package enum Search {
    /// The seed of a night, from `TRACKER_CONFIG_LONG_SEARCHES`.
    private static let night = getenv("TRACKER_CONFIG_LONG_SEARCHES").flatMap { UInt64(String(cString: $0)) }

    /// The number of inputs to try.
    /// - Parameter usual: The number in `swift test`, the smallest that finds broken code.
    /// - Returns: 50 times as many at night.
    package static func count(_ usual: Int) -> Int { night == nil ? usual : usual * 50 }

    /// The seed of the inputs.
    /// - Parameter usual: The seed in `swift test`.
    /// - Returns: Another one for each night.
    package static func seed(_ usual: UInt64) -> UInt64 { usual &+ (night ?? 0) &* 0x9E37_79B9_7F4A_7C15 }
}
