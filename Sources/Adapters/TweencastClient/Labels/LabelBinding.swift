// Binds a label of a program to a number on a server.

public import LabelMotion

/// Shows what a number on a server shows, until the number is removed or `end()` is called. If the label is released, it ends with
/// the next text.
///
///     client.ticker("revenue").bind(to: label)
@MainActor
public final class LabelBinding: Sendable {
    private let task: Task<Result<Void, ClientError>, Never>

    /// - Parameter label: Held weakly.
    init(_ frames: ResourceFrames, _ label: some TextLabel) {
        task = Task { [weak label] in
            do throws(ClientError) {
                for try await frame in frames {
                    guard !Task.isCancelled, let label else { break }
                    Self.show(frame.text, in: label)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    private static func show<Label: TextLabel>(_ text: String, in label: Label) { label.text = Label.Text(text) }

    /// Ends the binding; the label keeps its text.
    public func end() { task.cancel() }

    /// Returns when the binding has ended.
    ///
    /// - Throws: Why the server refused, such as a token that it doesn't know.
    public func ended() async throws(ClientError) { try await task.value.get() }
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
