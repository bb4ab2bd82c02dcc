// The labels of Apple's user interfaces.

#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension UILabel: TextLabel {}
    extension UITextField: TextLabel {}
#endif

#if canImport(AppKit)
    public import AppKit

    extension NSTextField: TextLabel {
        /// The shown text, which AppKit calls the string value.
        public var text: String {
            get { stringValue }
            set { stringValue = newValue }
        }
    }
#endif
