// A number as an SVG image, for `<img>`, a README or an e-mail. While it moves, the image moves by itself (SMIL, as in SVG 1.1,
// 19.2): scripts don't run in images.

import Base
package import Board
package import Tween

/// The picture of a ticker or a progress at an instant.
package struct TrackPicture {
    private let options: PictureOptions
    private let frames: PictureFrames
    private let id: String
    /// Whether it is a progress without a maximum, of which no share can be drawn.
    private let isIndeterminate: Bool

    package init(_ track: Track, _ options: PictureOptions, at now: Instant) {
        self.options = options
        frames = PictureFrames(track, at: now)
        id = track.name.id
        isIndeterminate = track.name.kind == .progress && frames.first.fraction == nil
    }

    /// Whether it moves, so that it is another picture a moment later.
    package var isMoving: Bool { frames.isMoving }

    /// The image.
    package var svg: [UInt8] {
        let drawing =
            switch options.style {
            case .badge: badge
            case .bar: bar
            case .pie: circle(isPie: true)
            case .ring: circle(isPie: false)
            }
        let title = PictureText("\(id): \(frames.all.last?.text ?? "")").xml
        let (width, height) = (Self.number(drawing.width), Self.number(drawing.height))
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" xml:space="preserve" aria-label="\(title)"><title>\(title)</title>\
            <style>\(style)</style>
            """
        return Array((head + drawing.content + "</svg>\n").utf8)
    }

    /// What the shields.io service reads from an endpoint, to draw a badge of its own.
    package var shieldsEndpoint: [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("schemaVersion", 1)
            $0.member("label", TerminalText(options.label ?? id).text)
            $0.member("message", frames.first.text.isEmpty ? " " : frames.first.text)
            $0.member("color", options.color ?? (isDone ? "brightgreen" : "blue"))
            // The least that the service accepts.
            $0.member("cacheSeconds", 300)
        }
        return json.bytes
    }

    private typealias Drawing = (width: Double, height: Double, content: String)

    private var isDone: Bool { frames.first.isDone }

    private var color: String { options.color ?? Self.color(isDone: isDone) }

    private static func color(isDone: Bool) -> String { isDone ? "#2da44e" : "#0969da" }

    /// Returns the change of an attribute's colour where all is done, or no longer is.
    private func colorChange(_ attribute: String) -> String {
        guard options.color == nil, (frames.all.last?.isDone ?? isDone) != isDone,
            let last = frames.all.last(where: { $0.isDone == isDone }),
            let change = frames.all.first(where: { $0.time > last.time })
        else { return "" }
        return """
            <set attributeName="\(attribute)" to="\(Self.color(isDone: !isDone))" begin="\(Self.number(change.time))s" fill="freeze"/>
            """
    }

    // MARK: - Colours

    private var style: String {
        let font = "text{font:11px Verdana,Geneva,DejaVu Sans,sans-serif}"
        let light = ".t{fill:#1f2328}.k{fill:#d0d7de}.r{stroke:#d0d7de}"
        let dark = ".t{fill:#e6edf3}.k{fill:#3d444d}.r{stroke:#3d444d}"
        switch options.theme {
        case .light: return font + light
        case .dark: return font + dark
        case .auto: return font + light + "@media(prefers-color-scheme:dark){\(dark)}"
        }
    }

    // MARK: - Forms

    /// A label on the left and the text on the right.
    private var badge: Drawing {
        let (size, padding, height) = (11.0, 6.0, 20.0)
        let label = PictureText(options.label ?? id)
        let left = label.width > 0 ? label.width * size + 2 * padding : 0
        let widest = frames.texts.map { PictureText($0.text).width }.max() ?? 0
        let right = widest * size + 2 * padding
        let content = """
            <clipPath id="c"><rect width="\(Self.number(left + right))" height="20" rx="3"/></clipPath>\
            <g clip-path="url(#c)"><rect width="\(Self.number(left))" height="20" fill="#555"/>\
            <rect x="\(Self.number(left))" width="\(Self.number(right))" height="20" fill="\(color)">\
            \(colorChange("fill"))</rect></g>\
            <g fill="#fff" text-anchor="middle">\(text(label.xml, x: left / 2, y: 14))\
            \(texts(x: left + right / 2, y: 14, room: widest * size))</g>
            """
        return (left + right, height, content)
    }

    /// The text above a bar.
    private var bar: Drawing {
        let width = Double(options.width ?? 240)
        let filling =
            isIndeterminate
            ? """
            <pattern id="s" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
            <rect width="4" height="8" fill="\(color)"/></pattern>\
            <rect y="20" width="\(Self.number(width))" height="8" fill="url(#s)"/>
            """
            : """
            <rect y="20" width="\(Self.number(frames.fractions[0] * width))" height="8" \
            fill="\(color)">\(animation("width") { Self.number($0 * width) })\(colorChange("fill"))</rect>
            """
        let bar = """
            <rect class="k" y="20" width="\(Self.number(width))" height="8" rx="4"/>\
            <clipPath id="c"><rect y="20" width="\(Self.number(width))" height="8" rx="4"/></clipPath>\
            <g clip-path="url(#c)">\(filling)</g>
            """
        return (width, 32, "<g class=\"t\">\(texts(x: 0, y: 13, room: width))</g>" + bar)
    }

    /// A pie, or a ring with the text in it.
    private func circle(isPie: Bool) -> Drawing {
        let size = Double(options.width ?? 96)
        let middle = Self.number(size / 2)
        let thickness = isPie ? size / 2 : size / 10
        let radius = Self.number(size / 2 - thickness / 2)
        func dashes(_ fraction: Double) -> String { "\(Self.number(fraction * 100)) 100" }
        // A circle begins on the right.
        let common = """
            cx="\(middle)" cy="\(middle)" r="\(radius)" fill="none" stroke-width="\(Self.number(thickness))"
            """
        // Without a share, stripes all around.
        let share = isIndeterminate ? "2.5 2.5" : dashes(frames.fractions[0])
        let change = isIndeterminate ? "" : animation("stroke-dasharray", dashes) + colorChange("stroke")
        var content = """
            <circle class="r" \(common)/><circle \(common) stroke="\(color)" pathLength="100" \
            stroke-dasharray="\(share)" transform="rotate(-90 \(middle) \(middle))">\(change)</circle>
            """
        if !isPie {
            let room = size - 2.6 * thickness
            content += """
                <g class="t" text-anchor="middle">\(texts(x: size / 2, y: size / 2 + 4, room: room))</g>
                """
        }
        return (size, size, content)
    }

    // MARK: - Elements

    /// Returns the animation of an attribute through all frames; empty at rest.
    private func animation(_ attribute: String, _ value: (Double) -> String) -> String {
        guard isMoving else { return "" }
        let values = frames.fractions.map(value).joined(separator: ";")
        return """
            <animate attributeName="\(attribute)" dur="\(Self.number(frames.span))s" values="\(values)" fill="freeze"/>
            """
    }

    /// Returns the texts of all frames, of which one is visible at a time.
    /// - Parameter room: Pixels; a wider text is squeezed.
    private func texts(x: Double, y: Double, room: Double) -> String {
        let shown = frames.texts
        var elements = ""
        for (index, frame) in shown.enumerated() {
            let end = index + 1 < shown.count ? shown[index + 1].time : nil
            var attributes = ""
            let content = PictureText(frame.text)
            if content.width * 11 > room {
                attributes += " textLength=\"\(Self.number(room))\" lengthAdjust=\"spacingAndGlyphs\""
            }
            var change = ""
            if index > 0 {
                attributes += " visibility=\"hidden\""
                // Not a duration, which would be rounded by itself.
                let until = end.map { " end=\"\(Self.number($0))s\"" } ?? " fill=\"freeze\""
                change = """
                    <set attributeName="visibility" to="visible" begin="\(Self.number(frame.time))s"\(until)/>
                    """
            } else if let end {
                change = """
                    <set attributeName="visibility" to="hidden" begin="\(Self.number(end))s" fill="freeze"/>
                    """
            }
            elements += text(content.xml + change, x: x, y: y, attributes)
        }
        return elements
    }

    private func text(_ content: String, x: Double, y: Double, _ attributes: String = "") -> String {
        "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"\(attributes)>\(content)</text>"
    }

    /// Returns a number with at most three decimals.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? "\(Int(saturating: rounded))" : "\(rounded)"
    }
}
