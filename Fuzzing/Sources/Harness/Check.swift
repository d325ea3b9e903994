/// Ends the process where a promise is broken, which the fuzzer takes for a crash and keeps the input.
public func check(_ promise: @autoclosure () -> Bool, _ name: String) {
    if !promise() { fatalError("broken: \(name)") }
}
