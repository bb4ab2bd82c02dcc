// The memory that a thread keeps of connections that have ended.

import CBlocks
import Glibc
import OperatingSystem
import Testing

@Suite(.enabled(if: tweencast_keeps_blocks() != 0)) struct BlocksTests {
    private static let size = 84 * 1_024
    private static let access = PROT_READ | PROT_WRITE
    private static let kind = Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS)

    /// Runs a test on a thread of its own, which keeps blocks, and returns them at its end.
    private func onThread(_ test: @escaping @Sendable () -> Void) {
        let thread = OwnedThread(name: "blocks") {
            tweencast_keep_blocks(Self.size - 1)
            test()
            tweencast_return_blocks()
        }
        #expect(thread.start())
        thread.join()
    }

    private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
        unsafe mmap(nil, size, access, kind, -1, 0)
    }

    @Test func `a block is given again, with nothing in it`() {
        onThread {
            guard let first = unsafe Self.map(Self.size) else { return #expect(Bool(false)) }
            unsafe memset(first, 7, Self.size)
            unsafe munmap(first, Self.size)
            #expect(tweencast_kept_blocks() == 1)
            let second = unsafe Self.map(Self.size)
            let (isSame, isEmpty) = unsafe (
                second == first, UnsafeRawBufferPointer(start: second, count: Self.size).allSatisfy { $0 == 0 }
            )
            #expect(isSame && isEmpty)
            #expect(tweencast_kept_blocks() == 0)
            unsafe munmap(second, Self.size)
        }
    }

    @Test func `bytes anywhere in a block are removed`() {
        onThread {
            for place in [0, 4_095, 4_096, 40_000, Self.size - 1] {
                guard let block = unsafe Self.map(Self.size) else { return #expect(Bool(false)) }
                unsafe block.storeBytes(of: 7, toByteOffset: place, as: UInt8.self)
                unsafe munmap(block, Self.size)
                let isEmpty = unsafe UnsafeRawBufferPointer(start: block, count: Self.size).allSatisfy { $0 == 0 }
                #expect(isEmpty)
            }
            #expect(tweencast_kept_blocks() == 1)
        }
    }

    @Test func `blocks of other sizes are the kernel's`() {
        onThread {
            for size in [Self.size - 4_096, Self.size + 4_096] {
                let block = unsafe Self.map(size)
                #expect(unsafe munmap(block, size) == 0)
            }
            #expect(tweencast_kept_blocks() == 0)
        }
    }

    @Test func `only so many are kept`() {
        onThread {
            var blocks = unsafe (0..<100).map { _ in unsafe Self.map(Self.size) }
            while let block = unsafe blocks.popLast() { unsafe munmap(block, Self.size) }
            #expect(tweencast_kept_blocks() == 64)
        }
    }

    @Test func `a thread that did not ask keeps none`() {
        let thread = OwnedThread(name: "blocks") {
            let block = unsafe Self.map(Self.size)
            #expect(unsafe munmap(block, Self.size) == 0)
            #expect(tweencast_kept_blocks() == 0)
        }
        #expect(thread.start())
        thread.join()
    }

    // The library calls them by name. If it found the C library's, each connection would cost what it did before.
    @Test func `libraries find the program's functions`() {
        for name in ["mmap", "munmap"] {
            let found = unsafe dlsym(dlopen(nil, RTLD_LAZY), name)
            let ofLibrary = unsafe dlsym(dlopen("libc.so.6", RTLD_LAZY), name)
            let isOwn = unsafe found != nil && found != ofLibrary
            #expect(isOwn, "\(name)")
        }
    }
}
