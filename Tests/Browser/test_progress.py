"""What <tween-progress> draws and says: looks, limits, what assistive technology is told."""

from browser import BrowserTest


class ProgressTest(BrowserTest):
    def put(self, name: str, attributes: str = ""):
        """An element on a page of its own."""
        self.visit()
        self.run_script(
            """document.body.innerHTML = `<tween-progress id=put src="/v1/progress/${arguments[0]}" ${arguments[1]}>fallback
            </tween-progress>`""",
            name,
            attributes,
        )
        return self.driver.find_element("id", "put")

    def drawn(self, name: str, attributes: str = ""):
        """The same with its first frame and its looks."""
        view = self.put(name, attributes)
        self.until("return !!(arguments[0].newest && arguments[0].looks)", view)
        return view

    def test_a_progress_element_is_empty_until_it_has_a_value(self):
        for shape in ("bar", "pie", "ring"):
            with self.subTest(shape=shape):
                view = self.put("nowhere", f"shape={shape}")
                seen = "return getComputedStyle(arguments[0].fill).visibility"
                self.assertEqual(self.run_script(seen, view), "hidden")
                self.assertIsNone(self.run_script("return arguments[0].track.ariaValueNow", view))
                self.server.post("progress:somewhere", current=50, duration=0)
                self.run_script("arguments[0].setAttribute('src', '/v1/progress/somewhere')", view)
                self.until(f"{seen} === 'visible'", view)

    def test_assistive_technology_is_told_the_percent_of_the_label(self):
        for current, percent in ((12.9, 12), (99.6, 99), (100, 100), (0.4, 0)):
            with self.subTest(current=current):
                self.server.post("progress:aria", current=current, duration=0)
                view = self.drawn("aria")
                self.until("return arguments[0].valuePart.textContent === arguments[1]", view, f"{percent}%")
                self.assertEqual(self.run_script("return arguments[0].track.ariaValueNow", view), f"{percent}")

    # Eight places round the circle, clockwise from half past one; which of them are painted.
    PAINTED = """
    const {fill} = arguments[0], {left, width, top, height} = fill.ownerSVGElement.getBoundingClientRect();
    const back = fill.getScreenCTM().inverse(), inside = width * 0.25;
    return [...Array(8).keys()].map((i) => {
      const angle = (i + 0.5) * Math.PI / 4, x = left + width / 2 + inside * Math.sin(angle), y = top + height / 2 - inside * Math.cos(angle);
      return +fill.isPointInStroke(new DOMPoint(x, y).matrixTransform(back));
    }).join('');
    """

    def test_a_pie_begins_where_and_goes_the_way_that_the_looks_say(self):
        cases = [
            ({}, "", "11000000"),
            ({"startAngle": 90}, "", "00110000"),
            ({"startAngle": 90, "clockwise": False}, "", "11000000"),
            ({"clockwise": False}, "", "00000011"),
            ({"startAngle": 90}, "start-angle=-90 clockwise=false", "00001100"),
        ]
        for index, (looks, attributes, painted) in enumerate(cases):
            with self.subTest(looks=looks, attributes=attributes):
                self.server.post(f"progress:pie{index}", current=25, duration=0, appearance={"shape": "pie", **looks})
                view = self.drawn(f"pie{index}", attributes)
                self.assertEqual(self.run_script(self.PAINTED, view), painted)

    def test_strokes_stay_within_the_picture(self):
        for shape in ("pie", "ring"):
            for width in (2, 30, 400):
                with self.subTest(shape=shape, width=width):
                    looks = {"shape": shape, "strokeWidth": width}
                    self.server.post(f"progress:{shape}{width}", current=60, duration=0, appearance=looks)
                    view = self.drawn(f"{shape}{width}")
                    self.until("return arguments[0].shape === arguments[1]", view, shape)
                    outer = """const {r, strokeWidth} = getComputedStyle(arguments[0].shadowRoot.querySelector('.edge'));
                        return [parseFloat(strokeWidth), parseFloat(r) + parseFloat(strokeWidth) / 2]"""
                    stroke, edge = self.run_script(outer, view)
                    self.assertEqual(stroke, min(width, 50))
                    self.assertLessEqual(edge, 51)

    def test_margin_and_padding_are_pixels(self):
        self.server.post("progress:room", current=60, duration=0, appearance={"margin": 7, "padding": 3})
        style = "const {margin, padding} = getComputedStyle(arguments[0].body); return [margin, padding]"
        self.assertEqual(self.run_script(style, self.drawn("room")), ["7px", "3px"])
        self.assertEqual(self.run_script(style, self.drawn("room", "margin=11")), ["11px", "3px"])

    def test_a_changed_source_of_a_progress_element_changes_its_appearance(self):
        self.server.post("progress:one", current=60, duration=0, appearance={"shape": "pie", "color": "rgb(1, 2, 3)"})
        self.server.post("progress:two", current=30, duration=0, appearance={"titleDirection": "left"})
        view = self.drawn("one")
        self.assertEqual(self.run_script("return arguments[0].shape", view), "pie")
        self.run_script("arguments[0].setAttribute('src', '/v1/progress/two')", view)
        self.until("return arguments[0].looks?.titleDirection && arguments[0].newest", view)
        looks = "return [arguments[0].shape, arguments[0].body.className, arguments[0].body.style.cssText]"
        self.assertEqual(self.run_script(looks, view), ["bar", "body left round", ""])
        self.run_script("arguments[0].removeAttribute('src')", view)
        self.assertEqual(self.run_script("return arguments[0].valuePart.textContent", view), "")
        asked = "return performance.getEntriesByType('resource').filter(({name}) => /null|undefined/.test(name)).length"
        self.assertEqual(self.run_script(asked), 0)

    def test_a_spring_never_draws_beyond_the_bar(self):
        self.server.post("progress:spring", current=0, duration=0)
        view = self.drawn("spring")
        self.run_script("""window.away = [];
            arguments[0].addEventListener('tweenframe', ({target}) => away.push(new DOMMatrix(getComputedStyle(target.fill).transform).e));
            arguments[0].addEventListener('complete', () => { window.ended = true; })""", view)
        self.server.post("progress:spring", current=90, spring={"dampingRatio": 0.2, "response": 0.2})
        self.until("return window.ended")
        away = self.run_script("return away")
        self.assertGreater(len(away), 2)
        self.assertLessEqual(max(away), 0)

    def test_digits_that_come_dont_move_the_start_of_the_bar(self):
        for side in ("left", "right"):
            self.server.post(f"progress:{side}", current=0, duration=0, appearance={"titleDirection": side})
            view, starts = self.drawn(side), set()
            for current in (9, 10, 99, 100):
                self.server.post(f"progress:{side}", current=current, duration=0)
                self.until("return arguments[0].valuePart.textContent === arguments[1]", view, f"{current}%")
                starts.add(self.run_script("""const {left, width} = arguments[0].track.getBoundingClientRect();
                    return `${left} ${width}`""", view))
            self.assertEqual(len(starts), 1)

    def test_each_frame_is_a_dom_event(self):
        self.server.post("progress:told", current=0, duration=0)
        view = self.drawn("told")
        self.run_script("window.told = []; arguments[0].addEventListener('tweenframe', ({detail}) => told.push(detail))", view)
        self.server.post("progress:told", current=50, duration=0.5)
        self.until("return told.at(-1)?.value === 50")
        told = self.run_script("return told")
        self.assertEqual(told[-1], {"value": 50, "text": "50%", "fraction": 0.5, "percent": 50})
        self.assertGreater(len(told), 2)
