import type { BookEvent } from '../../src-shared/contract/index.ts';
import { bytesText, countOf, countText } from './counts.ts';
import { plainWords } from './words.ts';
import { say } from '../../src-shared/words/say.ts';

type Progress = Pick<Extract<BookEvent, { kind: 'job' }>, 'phase' | 'progress' | 'processed' | 'total' | 'file'>;

/**
 * Returns `45 % · Reading · 450,000 rows · 24.7 MB of 54.9 MB`. The percentage is that of the whole job. Rows appear once the reader has found them.
 */
export function progressText({ phase, progress, processed, total, file }: Progress, locale?: string): string {
  const parts = [`${progress} %`, plainWords(phase)];
  if (file !== null) {
    if (file.rows > 0) parts.push(countOf(file.rows, 'count.rows', locale));
    parts.push(say('common.job.bytesOfBytes', { bytes: bytesText(file.bytes, locale), bytes2: bytesText(file.total_bytes, locale) }));
  } else if (total > 0)
    parts.push(say('common.job.processedOfTotal', { processed: countText(processed, locale), total: countText(total, locale) }));
  return parts.join(' · ');
}
