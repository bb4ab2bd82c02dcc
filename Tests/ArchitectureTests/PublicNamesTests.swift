// Names of the libraries' public types: whoever imports several of them can write each name without its module.

import Foundation
import Testing

@Suite struct PublicNamesTests {
    /// The names of the package's library products, which are those of their modules.
    private static func libraries() throws -> [String] {
        let package = try SourceTree.text(of: "Package.swift")
        return package.matches(of: #/\.library\(name: "(\w+)"/#).map { String($0.output.1) }
    }

    /// The public types of a file that aren't members of others, by their names and lines.
    private static func types(in lines: [Substring]) -> [(name: String, line: Int)] {
        // The formatter indents what is conditional, as it does with members.
        var conditions = 0
        let kinds = #/\bpublic (?:final |indirect )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        return lines.enumerated().compactMap { number, line in
            let text = line.drop { $0 == " " }
            if text.hasPrefix("#endif") { conditions -= 1 }
            defer { if text.hasPrefix("#if") { conditions += 1 } }
            guard line.count - text.count == 4 * conditions, !text.hasPrefix("//") else { return nil }
            return line.firstMatch(of: kinds).map { (String($0.output.1), number + 1) }
        }
    }

    @Test func `no two public types of the libraries have one name, and none has that of a library`() throws {
        let libraries = try Self.libraries()
        #expect(libraries.count >= 6)
        // A type with its module's name hides the module: nothing else in it can be named with it.
        var places = Dictionary(uniqueKeysWithValues: libraries.map { ($0, "the module itself") })
        for file in try SourceTree.sources() where libraries.contains(file.target) {
            for (name, line) in Self.types(in: file.lines) {
                let place = "\(file.path):\(line)"
                if let other = places.updateValue(place, forKey: name) {
                    Issue.record("\(name) is both \(other) and \(place)")
                }
            }
        }
        #expect(places.count > libraries.count + 50)
    }

    @Test func `types are found under conditions and attributes, and members of types are not`() {
        let text = """
            public struct A: Sendable {
                public struct B {}
            }
            #if canImport(Foundation)
                @MainActor public final class C {
                    public enum D {}
                }
            #endif
            extension A {
                public typealias E = Int
            }
            public protocol F {}
            struct G {}
            // public struct H
            """
        #expect(Self.types(in: text.split(separator: "\n")).map(\.name) == ["A", "C", "F"])
    }
}
