/// The numbers as texts, in the expectation of what arrived: `map(String.init)` takes the type checker up to a second for each use.
package func texts(_ numbers: some Sequence<Int>) -> [String] {
    numbers.map { number in "\(number)" }
}
