import { Menu, Portal } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Call } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { saveFile } from '../api/save-file.ts';
import { useCommand } from '../api/use-operation.ts';
import { countText } from '../format/counts.ts';
import { dateText, instantText } from '../format/dates.ts';
import { grouped } from '../../src-shared/values/notation.ts';
import { withMinus } from '../format/money.ts';
import { shownColumns } from './grid-columns.tsx';
import { notifyDone, notifyFailure } from './notify.tsx';
import { ListMenu } from './primitives.tsx';

type Export = Call<'lists.export'>;

interface ExportMenuProps extends Pick<Export, 'list' | 'asked' | 'about' | 'only'> {
  /** The grid whose columns and order the file has, as `testId` of `DataGrid` has it; without one all columns, as the list asks. */
  readonly grid?: string;
  /** Tells the menus of one screen apart: `Export side A`. */
  readonly label?: string;
  readonly testId: string;
}

/** Saves all that a list finds, not only what is on the screen, as a file. */
export function ExportMenu({ list, asked, about, only, grid, label = say('common.export.title'), testId }: ExportMenuProps) {
  const command = useCommand('lists.export', (failure) => notifyFailure(say('common.export.failed'), failure));
  const [printed, setPrinted] = useState<Printed | null>(null);
  async function listedAs(format: Export['format']) {
    const { columns, sort } = shownColumns(grid);
    const sorted = sort === undefined ? asked : { ...asked, sort };
    return command.run({
      list,
      asked: sorted,
      format,
      ...(about === undefined ? {} : { about }),
      ...(only === undefined ? {} : { only }),
      ...(columns === undefined ? {} : { columns: [...columns] }),
    });
  }
  async function save(format: 'csv' | 'xlsx'): Promise<void> {
    const answer = await listedAs(format);
    if (!answer.ok) return;
    saveFile(answer.value);
    const { row_count: rows, listed_count: matches } = answer.value;
    notifyDone(list === 'matches.window' ? say('common.export.doneMatches', { matches, rows }) : say('common.export.done', { rows }));
  }
  async function print(): Promise<void> {
    const answer = await listedAs('json');
    if (!answer.ok) return;
    const { content, row_count: rowCount } = answer.value;
    setPrinted({ ...(JSON.parse(content) as Pick<Printed, 'columns' | 'rows'>), rowCount, about: about ?? '' });
  }
  return (
    <>
      <ListMenu
        label={label}
        title={`${label}. ${say('common.export.hint')}`}
        icon={IconDownload}
        isLoading={command.isRunning}
        testId={testId}
      >
        <Menu.Item onClick={() => void save('csv')}>{say('common.export.csv')}</Menu.Item>
        <Menu.Item onClick={() => void save('xlsx')}>{say('common.export.xlsx')}</Menu.Item>
        <Menu.Item onClick={() => void print()}>{say('common.export.print')}</Menu.Item>
      </ListMenu>
      {printed !== null && <PrintSheet {...printed} onClose={() => setPrinted(null)} />}
    </>
  );
}

interface Printed {
  readonly columns: readonly { readonly title: string; readonly kind: 'text' | 'day' | 'amount' | 'count' }[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** All rows that the list finds, of which the first are printed. */
  readonly rowCount: number;
  readonly about: string;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T/u;

function cellText(value: string | number | null | undefined, kind: Printed['columns'][number]['kind']): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return countText(value);
  if (kind === 'amount') return withMinus(grouped(value));
  if (kind === 'day') return dateText(value);
  return INSTANT.test(value) ? instantText(value) : value;
}

/** A list on paper, in the place of the screen, which holds only the rows in view. It prints itself, and goes afterwards. */
function PrintSheet({ columns, rows, rowCount, about, onClose }: Printed & { readonly onClose: () => void }) {
  useEffect(() => {
    window.addEventListener('afterprint', onClose);
    window.print();
    return () => window.removeEventListener('afterprint', onClose);
    // oxlint-disable-next-line react/exhaustive-deps -- it is printed once
  }, []);
  const held = columns.map((column, place) => ({ ...column, place })).filter(({ place }) => rows.some((row) => (row[place] ?? '') !== ''));
  const isFigure = (kind: string): boolean => kind === 'amount' || kind === 'count';
  const left = rowCount - rows.length;
  return (
    <Portal>
      <section className="print-sheet" data-testid="print-sheet">
        <h1>{document.querySelector('h1')?.textContent}</h1>
        <p>
          {[
            about.trim(),
            left > 0
              ? say('common.print.firstRows', { shown: countText(rows.length), rows: countText(rowCount) })
              : say('common.print.allRows', { rows: rowCount }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <table>
          <thead>
            <tr>
              {held.map(({ title, kind, place }) => (
                <th key={place} scope="col" data-figure={isFigure(kind) || undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows are printed once and never move
              <tr key={at}>
                {held.map(({ kind, place }) => (
                  <td key={place} data-figure={isFigure(kind) || undefined}>
                    {cellText(row[place], kind)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Portal>
  );
}
