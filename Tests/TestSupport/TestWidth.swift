import TrackerPlatform

/// The number of tests that run at one time: 8 on every machine, unless the environment has another.
///
/// Without a bound Swift Testing begins all tests at once: hundreds then wait for the few threads of Swift's pool, hold their files and
/// sockets meanwhile, and reach their time-outs. A trait would have to be on each suite, and time limits would count what it holds back.
/// So the test process sets the variable that Swift Testing reads, before anything else runs. `TestWidthTests` fails if a toolchain
/// ignores it.
package enum TestWidth {
    private static let variable = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"

    /// The bound in force.
    package static var current: Int? {
        getenv(variable).flatMap { Int(String(cString: $0)) }
    }

    @section(".init_array") @used
    private static let set: @convention(c) () -> Void = { setenv(variable, "8", 0) }
}
