// libFuzzer's way into a target: its own `main` calls these two. Which target it is the environment says, since the
// fuzzer starts itself anew with the arguments that it was given.

import FuzzTargets
import Glibc

/// The target that `TWEENCAST_FUZZ_TARGET` names.
private let chosen: FuzzTarget? = {
    guard let name = unsafe getenv("TWEENCAST_FUZZ_TARGET") else { return nil }
    let wanted = unsafe String(cString: name)
    return FuzzTarget.all.first { $0.name == wanted }
}()

/// Tries one input; what doesn't hold ends the process, which is how the fuzzer learns of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let chosen else { fatalError("TWEENCAST_FUZZ_TARGET names one of \(FuzzTarget.all.map(\.name))") }
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    // -1: not worth keeping.
    guard count <= chosen.maximumBytes else { return -1 }
    do throws(Violation) {
        try chosen.check(bytes)
    } catch {
        fatalError(error.description)
    }
    return 0
}
