import { describe, expect, it } from 'vitest';
import { printToPdf } from '../../../src-main/shell/print-to-pdf.ts';

describe('printToPdf', () => {
  it('says what is missing where nothing can print', async () => {
    expect(await printToPdf('<p>', { hasElectron: false, browser: null })).toMatchObject({
      ok: false,
      error: { code: 'no_printer', message: expect.stringContaining('needs Electron’s runtime, or an installed Chrome, Chromium or Edge') },
    });
  });

  it('says so when the browser prints nothing', async () => {
    expect(await printToPdf('<p>', { hasElectron: false, browser: process.execPath })).toMatchObject({
      ok: false,
      error: { code: 'print_failed' },
    });
  });
});
