import TrackerThreads

/// The file system that a file is on.
package struct FileSystem: Sendable {
    /// The number of its type in Linux' `statfs`.
    package let type: Int

    /// Wraps a number.
    package init(type: Int) {
        self.type = type
    }

    /// Looks up the file system of a path; nil if there is no file, or no information about it.
    package init?(of path: String) {
        var information = statfs()
        guard statfs(path, &information) == 0 else { return nil }
        self.init(type: Int(information.f_type))
    }

    /// The name of a file system that other machines can write to; nil for a local one.
    ///
    /// There a lock may not exclude other machines, and mapped memory may differ from the contents on other machines.
    package var networkName: String? {
        // From Linux' <linux/magic.h>, and for types that it lacks from the file systems' own headers.
        switch type {
        case 0x6969: "NFS"
        case 0x517B, 0xFE53_4D42, 0xFF53_4D42: "SMB"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x00C3_6400: "Ceph"
        case 0x0BD0_0BD0: "Lustre"
        case 0x0116_1970: "GFS2"
        case 0x7461_636F: "OCFS2"
        // Not 9P, because sandboxes of containers show their own local disks as 9P.
        default: nil
        }
    }

    /// Whether it writes changed blocks to another place, so that a write to mapped memory waits for space while the
    /// disk is full: btrfs, ZFS and bcachefs.
    package var copiesOnWrite: Bool { [0x9123_683E, 0x2FC1_2FC1, 0xCA45_1A4E].contains(type) }

    /// The name of a file system that other machines may write to without a notification by this machine's inotify; nil
    /// for a local one. Unlike ``networkName``, it includes types that may be either.
    package var remoteName: String? {
        switch type {
        case 0x6573_5546: "FUSE"
        case 0x0102_1997: "9P"
        default: networkName
        }
    }
}
