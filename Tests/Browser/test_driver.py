"""A browser that many tests share: what one of them does, the next doesn't find."""

import os
import signal

from selenium.webdriver import ActionChains

import driver
from browser import BrowserTest

STORE = """const [done] = arguments;
(async () => {
  localStorage.mark = sessionStorage.mark = 1;
  document.cookie = 'mark=1';
  await new Promise((opened) => { indexedDB.open('mark').onsuccess = opened; });
  await (await caches.open('mark')).put('/mark', new Response('1'));
  await (await navigator.storage.getDirectory()).getFileHandle('mark', {create: true});
  await navigator.serviceWorker.register('/js/easing.js', {type: 'module'});
  console.error('mark');
})().then(() => done(), (error) => done(String(error)));"""
# What there is of all that, and what the settings show.
FOUND = """const [done] = arguments;
(async () => {
  const files = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
  return {
    storage: [localStorage.mark, sessionStorage.mark, document.cookie],
    databases: await indexedDB.databases(), caches: await caches.keys(), files,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    media: ['prefers-color-scheme: dark', 'prefers-reduced-motion', 'print'].filter((query) => matchMedia(`(${query}), ${query}`).matches),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone, touch: navigator.maxTouchPoints,
    size: [innerWidth, innerHeight, devicePixelRatio], script: window.script, history: history.length,
    permission: (await navigator.permissions.query({name: 'notifications'})).state,
  };
})().then(done, (error) => done(String(error)));"""


class DriverTest(BrowserTest):
    def found(self) -> dict:
        self.driver.get(self.server.url + "/healthz")
        return {**self.driver.execute_async_script(FOUND), "windows": len(self.driver.window_handles)}

    def test_a_reused_browser_keeps_no_setting_script_or_storage_of_a_test(self):
        fresh = self.found()
        command = self.driver.execute_cdp_cmd
        command("Page.addScriptToEvaluateOnNewDocument", {"source": "window.script = 1"})
        command("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        command("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
        command("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 3})
        command("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        command("Browser.setPermission", {"permission": {"name": "notifications"}, "setting": "granted"})
        self.driver.get(self.server.url + "/favicon.svg")
        self.assertIsNone(self.driver.execute_async_script(STORE))
        self.driver.switch_to.new_window("tab")
        self.visit()
        self.driver.switch_to.window(self.driver.window_handles[0])
        used = self.found()
        same = [name for name in fresh if fresh[name] == used[name]]
        self.assertEqual(same, [])
        command("Emulation.setScriptExecutionDisabled", {"value": True})
        command("Network.enable", {})
        command("Network.setBlockedURLs", {"urls": ["*"]})
        ActionChains(self.driver).click_and_hold().perform()

        self.assertIs(driver.shared(), self.driver)
        self.assertEqual(self.run_script("return location.href"), "about:blank")
        self.assertNoErrors()
        self.assertEqual(self.found(), fresh)

    def test_a_setting_that_would_outlast_its_test_is_refused(self):
        with self.assertRaisesRegex(ValueError, "Emulation.setCPUThrottlingRate"):
            self.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 4})

    def test_a_browser_that_does_not_answer_is_replaced(self):
        old = self.driver
        os.kill(old.process_id, signal.SIGKILL)
        type(self).driver = driver.shared()
        self.assertIsNot(self.driver, old)
        self.visit()
