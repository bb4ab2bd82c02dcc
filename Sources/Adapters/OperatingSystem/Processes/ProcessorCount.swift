// How many cores this process may use.

import Glibc

package enum ProcessorCount {
    /// Online processors, at least one.
    package static var value: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
