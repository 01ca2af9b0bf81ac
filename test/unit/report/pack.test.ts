import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { packHtml } from '../../../src-main/domain/report/index.ts';
import { HASH_SCRIPT } from '../../../src-main/domain/report/pack-html.ts';
import { canonicalJson } from '../../../src-main/domain/report/report-data.ts';
import { closedJune } from '../../support/close-report.ts';
import { packFaults } from '../../support/pack-checks.ts';

describe('the data of a pack', () => {
  it('are one text for one meaning, which no text in them can end', () => {
    expect(canonicalJson({ b: 1, a: { d: null, c: ['</script>\u2028'] } })).toBe(
      String.raw`{"a":{"c":["\u003c/script>\u2028"],"d":null},"b":1}`,
    );
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  });

  it('stand in the page with their hash, and the page lets only its own script run', () => {
    const page = packHtml(closedJune());
    const [, hash, data = ''] =
      /<script type="application\/json" id="data" data-sha256="([0-9a-f]{64})">([^<]*)<\/script>/.exec(page) ?? [];
    expect(createHash('sha256').update(data).digest('hex')).toBe(hash);
    const script = /<script>([^]*?)<\/script>/.exec(page)?.[1] ?? '';
    expect(page).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(page).not.toMatch(/https?:|\bsrc=|url\(|@import|<link|<iframe|<img|\beval\b|new Function|XMLHttpRequest|\bfetch\b|innerHTML/);
    expect(packFaults(page)).toEqual([]);
    expect(JSON.parse(data)).toMatchObject({
      format: 'tieout-close-pack',
      currency: 'GBP',
      state: 'closed',
      records: { length: 37 },
      audit: { length: 12 },
    });
  });
});

describe('the hash that a browser works out', () => {
  const context = vm.createContext({ TextEncoder, Uint8Array, Int32Array, DataView });
  vm.runInContext(HASH_SCRIPT, context);

  it('is SHA-256 of any text, whatever its length', () => {
    const lengths = [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1_000, 70_000];
    for (const text of [...lengths.map((length) => 'é'.repeat(length).slice(0, length)), 'abc', 'café “…” 😀', '\ud800']) {
      context['text'] = text;
      expect(vm.runInContext('sha256OfText(text)', context)).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });
});
