/// A number with its noun: `1 event`, `2 events`.
/// - Parameters:
///   - count: The number.
///   - noun: The noun in the singular.
///   - plural: Its plural; nil adds an `s`.
/// - Returns: The words.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
}
