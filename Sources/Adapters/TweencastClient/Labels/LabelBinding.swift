// Binds a label of a program to a number on a server.

public import LabelMotion

/// Shows what a number on a server shows, until the number is removed or `end()` is called. If the label is released, it ends with
/// the next text.
///
///     client.ticker("revenue").bind(to: label)
@MainActor
public final class LabelBinding {
    private var task: Task<Void, Never>?

    /// - Parameter label: Held weakly.
    init(_ frames: Frames, _ label: some TextLabel) {
        task = Task { [weak label] in
            for await frame in frames {
                guard !Task.isCancelled, let label else { return }
                Self.show(frame.text, in: label)
            }
        }
    }

    private static func show<Label: TextLabel>(_ text: String, in label: Label) { label.text = Label.Text(text) }

    /// Ends the binding; the label keeps its text.
    public func end() { task?.cancel() }
}

extension RemoteTicker {
    /// Shows its text in a label from now on.
    @MainActor @discardableResult
    public func bind(to label: some TextLabel) -> LabelBinding { LabelBinding(frames, label) }
}

extension RemoteProgress {
    /// Shows its text in a label from now on.
    @MainActor @discardableResult
    public func bind(to label: some TextLabel) -> LabelBinding { LabelBinding(frames, label) }
}

extension RemoteSchedule {
    /// Shows its countdown in a label from now on.
    @MainActor @discardableResult
    public func bind(to label: some TextLabel) -> LabelBinding { LabelBinding(frames, label) }
}
