/// Why a document is not trusted.
enum SignatureError: Error, CustomStringConvertible {
    case missing(header: String)
    case wrong

    var description: String {
        switch self {
        case .missing(let header): "the answer has no header \(header) with a signature in base64"
        case .wrong: "the signature is wrong"
        }
    }
}
