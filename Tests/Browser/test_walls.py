"""A wall is as large as its screen, and its numbers as its cards."""

from browser import BrowserTest


class WallSizeTest(BrowserTest):
    def resize(self, width: int, height: int):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def test_four_numbers_fill_a_screen_and_nothing_lies_on_them(self):
        for index in range(4):
            self.server.post(f"ticker:four-{index}", label="0", to=index * 17, duration=0)
        for index, looks in enumerate(({"shape": "bar"}, {"shape": "pie"}, {"shape": "ring"}, {"titleDirection": "left"})):
            self.server.post(f"progress:part-{index}", current=40, maximum=100, duration=0, appearance=looks)
        for kind, name, part in (("ticker", "four", 0.35), ("progress", "part", 0.29)):
            for width, height in ((1920, 1080), (3840, 2160)):
                with self.subTest(width=width, kind=kind):
                    self.resize(width, height)
                    keys = ",".join(f"{kind}:{name}-{index}" for index in range(4))
                    self.visit(f"/?layout=wall&cards={keys}")
                    self.card(f"{kind}:{name}-3")
                    self.until("return document.querySelectorAll('.card:not([hidden])').length === 4")
                    self.run_script("dispatchEvent(new PointerEvent('pointermove'))")
                    self.until("return document.querySelector('#wall').classList.contains('shown')")
                    cards, digits, over, cut = self.run_script("""const all = [...document.querySelectorAll('.card:not([hidden])')];
                        const boxes = all.map((card) => card.getBoundingClientRect());
                        const pen = document.createElement('canvas').getContext('2d');
                        const digits = all.map(({card: {view}}, at) => {
                          const {fontWeight, fontSize, fontFamily} = getComputedStyle(view);
                          pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
                          return pen.measureText('8').actualBoundingBoxAscent / boxes[at].height;
                        });
                        const bar = document.querySelector('#wall').getBoundingClientRect();
                        return [boxes.reduce((sum, {width, height}) => sum + width * height, 0) / innerWidth / innerHeight,
                          Math.min(...digits), boxes.filter(({bottom}) => bottom > bar.top).length,
                          all.filter(({card: {view}}) => {
                            const stage = view.parentElement.getBoundingClientRect();
                            const {valuePart, track} = view, parts = [valuePart, track].filter(Boolean);
                            return parts.some((part) => part.getBoundingClientRect().right > stage.right + 1
                              || part.getBoundingClientRect().bottom > stage.bottom + 1);
                          }).length]""")
                    self.assertGreaterEqual(cards, 0.9)
                    self.assertGreaterEqual(digits, part)
                    self.assertEqual((over, cut), (0, 0))
