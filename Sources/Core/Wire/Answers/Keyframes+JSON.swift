// Keyframes in answers and events.

import Tween

extension Keyframes {
    func append(to json: inout JSONWriter) {
        json.list("keyframes") { json in
            for frame in frames {
                json.object {
                    $0.member("to", frame.value)
                    $0.member("offset", frame.offset)
                    $0.member("easing", frame.easing.description)
                }
            }
        }
    }
}
