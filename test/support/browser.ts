/** Debian's Chromium, driven as a person would: no page of ours may need the network beyond this machine. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** `null` where there is no Chromium: said loudly, and in CI an error. */
export async function openBrowser(): Promise<Browser | null> {
  if (!existsSync(executablePath)) {
    const missing = `no Chromium at ${executablePath}: install it (apt-get install chromium) or set CHROMIUM_PATH`;
    if (process.env['CI']) throw new Error(missing);
    console.warn(`THE BROWSER TESTS ARE SKIPPED: ${missing}`);
    return null;
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
