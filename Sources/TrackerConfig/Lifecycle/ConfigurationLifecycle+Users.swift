extension ConfigurationLifecycle {
    mutating func changeUser(_ next: PendingSwitch) -> [Action] {
        guard next.scope.url != scope.url else { return enter(next) }
        // The former user's, whose document is cached for them when it comes.
        let awaited = beginAwaitedFetch()
        activeState.change = .user(next)
        let isOther = !next.keeps(active)
        let request = ApplyRequest(
            configuration: next.fallback, previous: active, documents: next.documents,
            formerWatchdogs: documents.watchdogs,
            // Nothing of the former user stays, nor what their document had ceased to name.
            removes: nil, watch: !isOther ? .continues : next.fallback == nil ? .ends : .begins)
        return awaited + [.apply(request)]
    }

    mutating func changedUser(_ next: PendingSwitch, _ result: ApplyResult, _ moment: Moment) -> [Action] {
        let (previous, fallback) = (active, next.fallback)
        bookkeeping.cacheLoad = .ended
        // The document for all users stays, with its canary, its startup, and a rollback to it.
        let isOther = !next.keeps(previous)
        // One from a document that was the former user's alone is over.
        let isOver =
            previous?.state == .reverted && !(activeState.revertedURL.map { next.scope.urls.contains($0) } ?? false)
        if isOther || isOver {
            activate(fallback, moment)
            bookkeeping.noteApplied(fallback, at: moment.time)
        }
        // What only the former user had is nothing to go back to; what the next one has is found anew.
        let hasForeignTarget =
            canary.map { activeState.isPrivate($0.rollbackTarget, sharedURL: scope.sharedURL) } ?? false
        var actions = isOther || hasForeignTarget ? endCanary() : []
        actions += enter(next) + [.cancelTimer(.staleness)] + follow(moment)
        if isOther { actions.append(.startTimer(.startup, settings.startupWindow)) }
        if isOther || hasForeignTarget {
            canaryState.isUnproven = hasForeignTarget && !isOther
            actions += findRollbackTarget()
        }
        actions += [fallback.map { .publish($0, result, []) } ?? .withdraw]
        return actions + (settings.refreshesOnUserChange ? beginFetch() : [])
    }

    private mutating func enter(_ next: PendingSwitch) -> [Action] {
        let isOther = next.scope.url != scope.url
        documents = next.documents
        bookkeeping.switches += 1
        // What is known of a URL's document holds for all its users.
        guard isOther else { return [.enter(next)] }
        (heldState, bookkeeping.lastOutcome) = (HeldState(), nil)
        bookkeeping.history.sourceChanged()
        return [.enter(next)] + reopenStream()
    }
}
