import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron, expect, test } from '@playwright/test';
import { hasDisplay, sandboxArguments } from '../../../src-main/shell/browser.ts';
import { findElectron } from '../../../src-main/shell/start.ts';

const repository = path.resolve(import.meta.dirname, '../../..');

test('the true Electron runtime shows the book', async () => {
  // The runtime is downloaded when possible: about 100 MB, once.
  test.setTimeout(7 * 60_000);
  const runtime = await findElectron();
  // The reason must be the one in expected-skips.json. Any other fails CI.
  test.skip(!runtime.ok, "Electron's runtime is not on this machine and could not be fetched");
  if (!runtime.ok) return;
  expect(hasDisplay(), 'Electron needs a display; run the tests under xvfb-run').toBe(true);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-electron-test-'));
  const app = await _electron.launch({
    executablePath: runtime.value,
    args: [...sandboxArguments(), repository, '--data', path.join(folder, 'book')],
  });
  try {
    const page = await app.firstWindow();
    await expect(page).toHaveURL(/^app:\/\/tieout\//);
    await expect(page.getByTestId('book-overview')).toBeVisible();
    expect(await page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined');
  } finally {
    await app.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
