import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printToPdf } from '../../../src-main/shell/print-to-pdf.ts';

describe('printToPdf', () => {
  const out = path.join(os.tmpdir(), 'tieout-never-printed.pdf');

  it('says what is missing where nothing can print', async () => {
    expect(await printToPdf('<p>', out, { hasElectron: false, browser: null })).toMatchObject({
      ok: false,
      error: { code: 'no_printer', message: expect.stringContaining('needs Electron’s runtime, or an installed Chrome, Chromium or Edge') },
    });
  });

  it('leaves no file behind when the browser prints nothing', async () => {
    expect(await printToPdf('<p>', out, { hasElectron: false, browser: process.execPath })).toMatchObject({
      ok: false,
      error: { code: 'print_failed' },
    });
    expect(fs.existsSync(out)).toBe(false);
  });
});
