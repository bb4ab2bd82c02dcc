// How the values of a motion become text, for clients that interpolate themselves.

import Board
import Labels
import Tween

/// Encodes the members `number`, `label` and `rest` of `motion` events.
enum TextWriting {
    /// Appends nothing for progress labels that change with time, since only the service knows the rate and the times, nor for
    /// those with a bar.
    static func append(_ run: Run, of track: Track, at now: Instant, to json: inout JSONWriter) {
        let end = track.destination(of: run)
        switch track.rendering {
        case .ticker(let rendering):
            json.member("number") { append(rendering.plain, of: run, to: &$0) }
            guard case .exact(let exact) = end else { return }
            // A number may have more digits than a double.
            let text = rendering.plain.text(of: exact)
            var told: [UInt8] = []
            rendering.plain.append(exact.double, to: &told)
            if !text.utf8.elementsEqual(told) { json.member("rest", text) }
        case .progress(let rendering):
            guard !rendering.followsTime, !rendering.plain.contains(.bar) else { return }
            json.list("label") { append(rendering, of: run, track, to: &$0) }
            guard run.motion.endTime.isFinite || run.motion.playback.rate < 0 else { return }
            // The maximum also ends when its motion does.
            var resting = track
            (resting.run, resting.rest) = (nil, end)
            json.name("rest")
            json.quoted { resting.appendText(end, at: now, escaped: true, to: &$0) }
        }
    }

    private static func append(_ label: TickerLabel, of run: Run, to json: inout JSONWriter) {
        if !label.prefix.isEmpty { json.member("prefix", text: label.prefix) }
        if !label.suffix.isEmpty { json.member("suffix", text: label.suffix) }
        NumberWriting.append(label.plan, of: run, isMessage: label.isMessage, to: &json)
        guard label.isMessage else { return }
        if let counts = label.messageRule?.language { json.member("cardinal", counts) }
        if let ordinals = label.messageOrdinals { json.member("ordinal", ordinals) }
        if label.messageOffset > 0 { json.member("offset", Int(clamping: label.messageOffset)) }
        json.member("forms") { json in
            for form in label.messageForms {
                json.list(form.name) { json in
                    for (index, text) in form.texts.enumerated() {
                        if label.messageOffset > 0, index > 0 {
                            json.raw((form.shifts[index - 1] ? "true" : "false").utf8)
                        }
                        json.string(text)
                    }
                }
            }
        }
    }

    /// Appends the pieces of a template: texts, and numbers with their sources.
    private static func append(_ rendering: ProgressRendering, of run: Run, _ track: Track, to json: inout JSONWriter) {
        let label = rendering.plain
        for piece in label.pieces {
            switch piece {
            case .text(let text): json.string(text)
            case .placeholder(let placeholder):
                guard let source = source(of: placeholder, in: rendering, run),
                    let plan = label.writing(of: placeholder)
                else {
                    json.string(standing(placeholder, in: rendering, track))
                    continue
                }
                json.object {
                    $0.member("of", source)
                    NumberWriting.append(plan, of: run, isMessage: false, to: &$0)
                }
            }
        }
    }

    /// Returns the number that a placeholder shows; nil if it is constant during the motion.
    private static func source(
        of placeholder: ProgressLabel.Placeholder, in rendering: ProgressRendering, _ run: Run
    ) -> String? {
        guard case .value = rendering.maximum else {
            return placeholder == .value && !rendering.plain.showsShare ? "value" : nil
        }
        switch placeholder {
        case .value: return rendering.plain.showsShare ? "percent" : "value"
        case .percent: return "percent"
        case .fraction: return "fraction"
        case .maximum: return run.maximum == nil || rendering.plain.showsShare ? nil : "maximum"
        case .target, .bar, .elapsed, .rate, .eta, .remaining, .words: return nil
        }
    }

    /// Returns the text of a placeholder that is constant during the motion.
    private static func standing(
        _ placeholder: ProgressLabel.Placeholder, in rendering: ProgressRendering, _ track: Track
    ) -> [UInt8] {
        if placeholder == .target, let target = track.destination {
            return rendering.plain.writtenTarget(target, percent: track.destinationPercent)
        }
        guard placeholder == .maximum, case .value(let maximum) = rendering.maximum else {
            return ProgressLabel.unknown
        }
        var text: [UInt8] = []
        if rendering.plain.showsShare {
            rendering.plain.percentStyle.signed.append(100, to: &text)
        } else {
            rendering.plain.maximumPlan.append(maximum, to: &text)
        }
        return text
    }
}

extension JSONWriter {
    /// Appends a string of UTF-8.
    mutating func member(_ name: String, text: [UInt8]) {
        self.name(name)
        string(text)
    }
}
