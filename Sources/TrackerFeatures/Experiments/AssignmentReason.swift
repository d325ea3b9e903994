/// Why a unit has its variant, or has none: the codes of ``ExperimentAssignment/reason`` while it is evaluated.
package enum AssignmentReason: String, Sendable, Hashable, CaseIterable {
    case assigned, sticky, forced, unknown, filtered, condition, prerequisite, noUnit
    case notCovered, blocked, disabled, scheduled, unusable, notLoaded, refused
}
