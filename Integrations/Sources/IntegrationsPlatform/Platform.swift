// The only import of the C library, so that a port to another one starts here.
@_exported public import Glibc
