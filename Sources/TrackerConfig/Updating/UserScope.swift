/// A user's part of a setup: where their document is, and what there is to fall back to.
package struct UserScope: Sendable {
    /// The user; nil for nobody.
    package let user: String?
    /// The document's URL; the same for all users where it does not name the user.
    package let url: String
    let source: any ConfigurationSource
    let chain: FallbackChain

    /// Whether it is this user's; nil and empty are nobody. Ids are other ones where their bytes are, as in URLs.
    func isOf(_ user: String?) -> Bool {
        (self.user ?? "").utf8.elementsEqual((user ?? "").utf8)
    }
}
