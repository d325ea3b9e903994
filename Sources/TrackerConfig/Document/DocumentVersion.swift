/// The place of a document in the order of its source's documents: the epoch counts before the number.
///
/// A document without `versionEpoch` and a default have epoch 0, so that numbers alone decide until an author needs a way back
/// from a number that is too high.
package struct DocumentVersion: Sendable, Hashable, Comparable {
    /// The largest epoch and the largest number.
    static let largest = 2_147_483_647

    /// The highest epoch that is usual: it needs to grow by 1 for each number that was published too high.
    private static let highestUsualEpoch = 1000

    /// What the author should know of the epoch; nil if it is usual.
    package var epochWarning: String? {
        if epoch == Self.largest {
            return
                "it is the highest that there is: no later document can go back from a configurationVersion that is too high"
        }
        guard epoch > Self.highestUsualEpoch else { return nil }
        return "\(epoch) is far above what is usual; an epoch needs to grow by 1 only, and can never be lower again"
    }

    /// What the author should know of the number; nil if it is usual.
    package var numberWarning: String? {
        number == Self.largest ? "it is the highest that there is: only a higher versionEpoch is newer" : nil
    }

    /// The document's `versionEpoch`, 0…2,147,483,647.
    package var epoch: Int

    /// The document's `configurationVersion`, 0…2,147,483,647.
    package var number: Int

    /// Creates a version.
    /// - Parameters:
    ///   - number: The document's `configurationVersion`.
    ///   - epoch: The document's `versionEpoch`; 0 by default.
    package init(_ number: Int, epoch: Int = 0) {
        (self.epoch, self.number) = (epoch, number)
    }

    package static func < (left: DocumentVersion, right: DocumentVersion) -> Bool {
        (left.epoch, left.number) < (right.epoch, right.number)
    }
}

extension DocumentVersion: CustomStringConvertible {
    /// `7`, or `7 of epoch 2` if the epoch is not 0.
    package var description: String { epoch == 0 ? "\(number)" : "\(number) of epoch \(epoch)" }
}

extension DocumentVersion: ExpressibleByIntegerLiteral {
    /// A version of epoch 0.
    package init(integerLiteral number: Int) { self.init(number) }
}
