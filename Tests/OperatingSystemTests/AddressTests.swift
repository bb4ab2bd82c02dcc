// Addresses: what is public, whichever way it is written.

import Testing

@testable import OperatingSystem

@Suite struct AddressTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "192.0.1.1",
        "223.255.255.255", "2606:4700::1111", "2a00::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    ])
    func `a public IP address is recognized in every spelling`(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "203.0.113.7", "224.0.0.1", "255.255.255.255", "::",
        "::1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "fc00::1", "fd12::1",
        "fe80::1", "ff02::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "[::1]",
    ])
    func `private, local and reserved IP addresses are not public`(text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "256.0.0.1", "localhost", "fe80::1%eth0", ":::", "0x7f.1"])
    func `a malformed IP address is refused`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `an IPv4 address equals its IPv6-mapped form`() {
        #expect(IPAddress("10.1.2.3") == IPAddress("::ffff:10.1.2.3"))
        #expect(IPAddress(bytes: [10, 1, 2, 3]) == IPAddress("10.1.2.3"))
        #expect(IPAddress(bytes: [10, 1, 2]) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.7", "10.0.0.7", true),
        ("10.0.0.7", "10.0.0.8", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2a00::1", false),
        ("::/0", "2a00::1", true), ("fd00::/8", "fd12:3456::1", true), ("fd00::/8", "fe00::1", false),
        ("192.168.1.128/25", "192.168.1.127", false), ("192.168.1.128/25", "192.168.1.200", true),
    ])
    func `a network contains the addresses that share its prefix`(network: String, address: String, isInside: Bool)
        throws
    {
        let network = try #require(IPNetwork(network))
        #expect(network.contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "10.0.0.0/8/8", "ten/8", "10.0.0.0/٨"])
    func `a malformed network is refused`(text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7", true), ("203.0.113.7", "203.0.113.8", false),
        ("203.0.113.7", "::ffff:203.0.113.7", true), ("2001:db8::1", "2001:db8::ffff:1", true),
        ("2001:db8::1", "2001:db8:0:1::1", false), ("0.0.0.1", "::1", false),
    ])
    func `IPv4 addresses are limited one by one, IPv6 addresses by their network of 64 bits`(
        one: String, other: String, isSame: Bool
    )
        throws
    {
        #expect((try #require(IPAddress(one)).holder == #require(IPAddress(other)).holder) == isSame)
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("::ffff:10.0.0.255", "10.0.0.255"), ("0.0.0.0", "0.0.0.0"),
        ("2001:db8:0:1:ffff::9", "2001:db8:0:1::/64"), ("::1", "0:0:0:0::/64"),
    ])
    func `the log names a limited address or network in its usual spelling`(address: String, holder: String) throws {
        #expect(try #require(IPAddress(address)).holder == holder)
    }
}
