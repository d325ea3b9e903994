/// A user's part of a setup: the user, and where the document is.
package struct UserScope: Sendable, Equatable {
    /// The user; nil for no user.
    package let user: String?
    /// The document's URL; the same for all users if it does not name the user.
    package let url: String
    /// The URL of the document that all users fall back to.
    package let sharedURL: String

    /// The documents' URLs, the user's own first.
    package var urls: [String] { url == sharedURL ? [url] : [url, sharedURL] }

    /// Whether it is this user's; nil and empty are no user. Ids differ if their bytes do, as in URLs.
    func isOf(_ user: String?) -> Bool {
        (self.user ?? "").utf8.elementsEqual((user ?? "").utf8)
    }
}
