import Harness
import TrackerConfig

/// What one text becomes; two readings of it must agree in every part.
private enum Reading: Equatable {
    case document(version: Int, [ConfigurationBundle], JSONObject, [ConfigurationError])
    case fault(ConfigurationError)

    init(_ text: [UInt8], isDefault: Bool) {
        do throws(ConfigurationError) {
            let document = isDefault ? try Document(default: text) : try Document(text)
            self = .document(version: document.version, document.bundles, document.meta, document.warnings)
        } catch {
            self = .fault(error)
        }
    }
}

/// Reads the input as a document and checks what a reader promises of every text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocument(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = input(start, count)
    let remote = Reading(text, isDefault: false)
    check(remote == Reading(text, isDefault: false), "two readings of one text agree")
    switch remote {
    case .fault(let error): check(error, text)
    case .document(let version, let bundles, let meta, let warnings):
        check(0...9_007_199_254_740_991 ~= version, "a version is within its bounds")
        let namespaces = bundles.map(\.namespace)
        check(Set(namespaces).count == namespaces.count, "every namespace is there once")
        check(namespaces.allSatisfy { 1...4096 ~= $0.unicodeScalars.count }, "a namespace has its length")
        check(bundles.allSatisfy { $0.network == nil || $0.network?.endpoint != nil }, "a network has its endpoint")
        guard case .document(version, bundles, meta, let less) = Reading(text, isDefault: true) else {
            check(false, "what may be fetched may be a default")
            return 0
        }
        // A default is not published: its version and its collectors have fewer warnings, and its rollout has no effect.
        let others = less.filter { $0.reason != "without effect in a default" && !warnings.contains($0) }
        check(others.isEmpty || warnings.count == 101, "a default has no other warnings")
        check(warnings, text)
    }
    return 0
}

private func check(_ error: ConfigurationError, _ text: [UInt8]) {
    check(isSentence(error.description), "an error is a sentence on one line: \(error)")
    check(error.description.hasSuffix(")"), "an error names its position: \(error)")
    guard let line = error.line, let column = error.column else {
        return check(false, "an error has a position: \(error)")
    }
    check(Lines(text).contain(line: line, column: column), "\(error) lies within the text")
    // Of a missing key, the place is the object that lacks it.
    let isOfDocument = [.malformed, .wrongType, .missingValue].contains(error.code)
    check(!error.place.isEmpty || isOfDocument, "\(error) names its key")
}

private func check(_ warnings: [ConfigurationError], _ text: [UInt8]) {
    check(warnings.count <= 101, "warnings are bounded")
    let lines = warnings.isEmpty ? nil : Lines(text)
    for warning in warnings {
        check(isSentence(warning.description), "a warning is a sentence on one line: \(warning)")
        guard let line = warning.line, let column = warning.column else {
            check(warnings.count == 101 && warning == warnings.last, "a warning has a position: \(warning)")
            continue
        }
        check(lines?.contain(line: line, column: column) == true, "\(warning) lies within the text")
    }
}

private func isSentence(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count < 8192 && !text.utf8.contains { $0 < 0x20 }
}
