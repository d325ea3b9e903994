extension Setup {
    /// The current user; nil if there is none.
    public var user: String? { updater.status.scope.user }

    /// Switches to another user, if `{user}` in ``RemoteConfiguration/endpoint`` gives each user a separate document.
    ///
    /// It applies the user's cached document at once, else the cached document without a user, which is the fallback of
    /// all users, else the default; never a document of the previous user. Trackers that the new configuration does not
    /// name are removed; settings that code changed on those that remain stay. Nothing is downloaded unless
    /// ``RemoteConfiguration/refreshesOnUserChange`` is set; ``refresh()`` and polling fetch the new user's document
    /// from now on. Its version is compared only with the versions of this user's own documents and of the default. A
    /// document that is still being fetched for the previous user is cached for that user and not applied.
    ///
    /// ```swift
    /// var remote = RemoteConfiguration(endpoint: "https://config.example.com/trackers/{user}.json")
    /// remote.user = "u-1"
    /// let setup = try Setup(remote: remote) { print($0.namespaces) }
    /// try await setup.switchUser(to: "u-2")
    /// await setup.refresh()
    /// ```
    ///
    /// `onSuccess` and ``events`` report it like any configuration that is applied. A switch to the current user, or
    /// with a URL without `{user}`, changes no configuration and calls no closure. After ``shutdown(timeout:)`` it
    /// does nothing.
    /// - Parameter user: The user's id, not percent-encoded; nil or empty for none.
    /// - Returns: The configuration in use now; nil if there is none, and then there are no trackers.
    /// - Throws: ``ConfigurationError`` if the URL cannot contain the user's id (`.`, `..`, or too long), or if a
    ///   tracker of the configuration cannot work; nothing changes then.
    @discardableResult
    public func switchUser(to user: String?) async throws(ConfigurationError) -> ConfigurationUpdate? {
        try await withTrackingContext(nil) { () async throws(ConfigurationError) in
            try await updater.switchUser(to: user)
        }
    }
}
