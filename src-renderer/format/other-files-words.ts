import type { RecordItem } from '../../src-shared/contract/index.ts';
import { dateText } from './dates.ts';

type OtherFile = RecordItem['other_files'][number];

/** That another file has a line as well, and in which words. */
export function otherFileText({ filename, imported_at: at, description }: OtherFile): string {
  const file = `Also in ${filename ?? 'another file'}, imported ${dateText(at.slice(0, 10))}`;
  return description === null ? file : `${file}: ${description}`;
}
