import { expect, test } from '@playwright/test';
import { documentOf, reportHtml } from '../../../src-main/domain/report/index.ts';
import { findBrowser } from '../../../src-main/shell/browser.ts';
import { printToPdf } from '../../../src-main/shell/print-to-pdf.ts';
import { closedJune } from '../../support/close-report.ts';

test('the report is printed on several A4 pages', async () => {
  const printed = await printToPdf(reportHtml(documentOf(closedJune())), { hasElectron: false, browser: findBrowser() });
  const pdf = printed.ok ? Buffer.from(printed.value).toString('latin1') : printed.error.message;
  expect(pdf.startsWith('%PDF-')).toBe(true);
  const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(pages).toBeGreaterThan(1);
  expect(pages).toBeLessThan(10);
  expect(pdf).toMatch(/\/MediaBox\s*\[\s*0 0 59[45]\.?\d* 84[12]/);
});
