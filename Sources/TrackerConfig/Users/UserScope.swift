/// A user's part of a setup: the user, and where the document is.
package struct UserScope: Sendable, Equatable {
    /// The user; nil for no user.
    package let user: String?
    /// What names the document: its URL, or ``RemoteConfiguration/cacheKey``; the same for all users if it does not name
    /// the user.
    package let url: String
    /// The same of the document that all users fall back to.
    package let sharedURL: String
    /// Where the document is fetched.
    package let address: String

    package init(user: String?, url: String, sharedURL: String, address: String? = nil) {
        (self.user, self.url, self.sharedURL, self.address) = (user, url, sharedURL, address ?? url)
    }

    /// The documents' URLs, the user's own first.
    package var urls: [String] { url == sharedURL ? [url] : [url, sharedURL] }

    /// Whether it is this user's; nil and empty are no user. Ids differ if their bytes do, as in URLs.
    func isOf(_ user: String?) -> Bool {
        (self.user ?? "").utf8.elementsEqual((user ?? "").utf8)
    }
}
