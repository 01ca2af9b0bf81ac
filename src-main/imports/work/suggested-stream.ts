import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';

/** A stream's key from a file's name: `Bank statement June.csv` -> `bank-statement-june`; never that of Tieout's own stream. */
export function suggestedStream(filename: string): Pick<ImportPreview['suggestion'], 'stream_key' | 'stream_name'> {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '').trim();
  const key = stem
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const words = stem.replaceAll(/[_-]+/g, ' ').trim();
  const own = key === ADJUSTMENTS_KEY ? `${key}-file` : key;
  return { stream_key: own === '' ? 'statement' : own, stream_name: words === '' ? 'Statement' : words[0]?.toUpperCase() + words.slice(1) };
}
