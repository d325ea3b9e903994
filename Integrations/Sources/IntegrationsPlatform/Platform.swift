// The only place that names the C library, so that a port to another one begins here.
@_exported public import Glibc
