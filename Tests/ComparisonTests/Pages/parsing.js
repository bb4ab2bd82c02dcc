// Whether the browser takes each text for an easing. As the first of a list, for a lone one may leave its function open.
function answer(texts) {
    return texts.map((text) => CSS.supports("animation-timing-function", `${text}, linear`))
}
