import { Title } from '@mantine/core';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { bytesText } from '../../format/counts.ts';
import { dateOrderText, decimalMarkText, delimiterText, plainWords } from '../../format/words.ts';
import styles from './import.module.css';

/** How the file was read: encoding, delimiter and the rest. */
export function FileFacts({ preview }: { readonly preview: ImportPreview }) {
  const { dialect, file, result } = preview;
  const facts: readonly (readonly [string, string])[] = [
    ['File', `${file.name}, ${bytesText(file.byte_length)}`],
    ['Format', result.format],
    ['Encoding', dialect.encoding],
    ['Delimiter', delimiterText(dialect.delimiter)],
    ['Header', dialect.header_row === null ? 'none' : `in row ${dialect.header_row}`],
    ['Date order', dateOrderText(dialect.date_order)],
    ['Decimal mark', decimalMarkText(dialect.decimal_mark)],
    ['Signs', plainWords(dialect.sign_model)],
  ];
  return (
    <section aria-labelledby="facts-heading">
      <Title order={2} id="facts-heading" mb="xs">
        How the file was read
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
