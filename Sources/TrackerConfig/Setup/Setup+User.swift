extension Setup {
    /// The current user; nil if there is none.
    public var user: String? { updater.standing.withLock { $0.user } }

    /// Goes over to another user, where `{user}` in ``RemoteConfiguration/endpoint`` gives each a document of their own.
    ///
    /// What this machine has cached for the user is applied at once, else the cached document without a user, which all users
    /// fall back to, else the default; never anything of the former user. Trackers that the new configuration does not name
    /// are removed; what was set at run time on those that remain stays. Nothing is downloaded unless
    /// ``RemoteConfiguration/refreshesOnUserChange`` is set; ``refresh()`` and polling fetch the new user's document from
    /// now on. Its version is compared with those of this user's own documents and the default's only. A document that
    /// is still on its way for the former user is cached for them and not applied.
    ///
    /// ```swift
    /// var remote = RemoteConfiguration(endpoint: "https://config.example.com/trackers/{user}.json")
    /// remote.user = "u-1"
    /// let setup = try Setup(remote: remote) { print($0.namespaces) }
    /// try await setup.switchUser(to: "u-2")
    /// await setup.refresh()
    /// ```
    ///
    /// `onSuccess` and ``events`` report it as any configuration that is applied. A switch to the user who is current,
    /// or with a URL that names no user, changes no configuration and calls no closure. After ``shutdown(timeout:)`` and in a
    /// forked child it does nothing.
    /// - Parameter user: The user's id, as it is; nil or empty for none.
    /// - Returns: What is in use now; nil if nothing is, then there are no trackers.
    /// - Throws: Where the user cannot stand in the URL (`.`, `..`, or too long), or a tracker of the configuration could
    ///   not work; all stays as it was then.
    @discardableResult
    public func switchUser(to user: String?) async throws(ConfigurationError) -> ConfigurationUpdate? {
        // The thread that would switch does not exist in a forked child.
        guard pipeline.isOwnProcess else { return nil }
        return try await withTrackingContext(nil) { () async throws(ConfigurationError) in
            try await updater.switchUser(to: user)
        }
    }
}
