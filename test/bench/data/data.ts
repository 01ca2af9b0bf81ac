import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';

/** Mulberry32: a small seeded generator; the same seed gives the same files. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface BenchFiles {
  readonly folder: string;
  readonly ledger: string;
  readonly bank: string;
}

/** A ledger and a bank file of `lines` lines each: 90 % pair by reference, dates 0 to 3 days apart, amounts repeat. */
export function benchFiles(lines: number, seed = 7, firstDay = '2025-01-01'): BenchFiles {
  const random = seeded(seed);
  const first = dayFromIso(firstDay) ?? 0;
  const ledger: string[] = [];
  const bank: string[] = [];
  for (let line = 0; line < lines; line += 1) {
    const day = first + Math.floor((line / lines) * 360);
    const amount = ((Math.floor(random() * 400) + 1) * 2.5).toFixed(2);
    const sign = random() < 0.9 ? '' : '-';
    ledger.push(`${isoFromDay(day)},${sign}${amount},GBP,Order ${line},L${line},ORD-${100_000 + line}`);
    const reference = random() < 0.9 ? `ORD-${100_000 + line}` : '';
    bank.push(`${isoFromDay(day + Math.floor(random() * 4))},${sign}${amount},GBP,Payment ${line},B${line},${reference}`);
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  const header = 'Date,Amount,Currency,Description,External ID,Reference';
  const files = { folder, ledger: path.join(folder, 'ledger.csv'), bank: path.join(folder, 'bank.csv') };
  writeFileSync(files.ledger, `${header}\n${ledger.join('\n')}\n`);
  writeFileSync(files.bank, `${header}\n${bank.join('\n')}\n`);
  return files;
}
