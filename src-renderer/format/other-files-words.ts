import type { RecordItem } from '../../src-shared/contract/index.ts';
import { dateText } from './dates.ts';
import { say } from '../../src-shared/words/say.ts';

type OtherFile = RecordItem['other_files'][number];

/** Returns a sentence that another file has the line as well, with that file's description of it. */
export function otherFileText({ filename, imported_at: at, description }: OtherFile): string {
  const file = say('records.otherFiles.alsoInImported', {
    filename: filename ?? say('records.otherFiles.anotherFile'),
    at: dateText(at.slice(0, 10)),
  });
  return description === null ? file : `${file}: ${description}`;
}
