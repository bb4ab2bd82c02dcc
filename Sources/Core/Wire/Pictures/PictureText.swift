// Text in a picture: as XML, and about as wide as browsers draw it.

import Base

/// A text in SVG.
struct PictureText {
    /// Escaped for XML, without characters that XML doesn't allow (XML 1.0, 2.2).
    let xml: String
    /// Its width in the size of its font: 1 is as wide as the font is high.
    let width: Double

    init(_ text: String) {
        var xml = ""
        var width = 0.0
        for scalar in text.unicodeScalars
        where !ControlCharacters.contain(scalar.value) && scalar.value != 0xFFFE && scalar.value != 0xFFFF {
            switch scalar {
            case "&": xml += "&amp;"
            case "<": xml += "&lt;"
            case ">": xml += "&gt;"
            case "\"": xml += "&quot;"
            case "'": xml += "&#39;"
            default: xml.unicodeScalars.append(scalar)
            }
            width += Self.width(of: scalar)
        }
        (self.xml, self.width) = (xml, width)
    }

    /// Returns about the width of a scalar in Verdana, which is wide: other fonts leave some room.
    private static func width(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case " ", "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", "(", ")", "[", "]": return 0.4
        case "f", "r", "t", "-", "/": return 0.46
        case "m", "w", "M", "W", "%", "@": return 1
        case "0"..."9": return 0.636
        // Blocks of bars.
        case "\u{2580}"..."\u{259F}": return 0.77
        case "A"..."Z": return 0.72
        default: break
        }
        let columns = TerminalText.columns(of: scalar)
        return columns == 0 ? 0 : columns == 2 ? 1.05 : 0.62
    }
}
