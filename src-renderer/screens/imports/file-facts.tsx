import { Title } from '@mantine/core';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { bytesText } from '../../format/counts.ts';
import { encodingText, sheetsText } from '../../format/table-words.ts';
import { plainWords } from '../../format/words.ts';
import { hasChoice } from '../../state/table-edit.ts';
import styles from './import.module.css';

/** What the file is; how a table is read stands beside its controls. */
export function FileFacts({ preview }: { readonly preview: ImportPreview }) {
  const { dialect, file, result, sheets } = preview;
  const isTable = preview.head.length > 0;
  const facts: readonly (readonly [string, string])[] = [
    ['Name', `${file.name}, ${bytesText(file.byte_length)}`],
    ['Format', result.format],
    ...(hasChoice(sheets) ? ([['Sheets', sheetsText(sheets)]] as const) : []),
    ...(isTable || dialect.encoding === '' ? [] : ([['Encoding', encodingText(dialect.encoding)]] as const)),
    ...(dialect.sign_model === '' ? [] : ([['Signs', plainWords(dialect.sign_model)]] as const)),
  ];
  return (
    <section aria-labelledby="facts-heading">
      <Title order={2} id="facts-heading" mb="xs">
        The file
      </Title>
      <dl className={`card ${styles.facts}`}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
