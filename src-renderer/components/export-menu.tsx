import { Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { Call } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { saveFile } from '../api/save-file.ts';
import { useCommand } from '../api/use-operation.ts';
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
  async function save(format: Export['format']): Promise<void> {
    const { columns, sort } = shownColumns(grid);
    const sorted = sort === undefined ? asked : { ...asked, sort };
    const answer = await command.run({
      list,
      asked: sorted,
      format,
      ...(about === undefined ? {} : { about }),
      ...(only === undefined ? {} : { only }),
      ...(columns === undefined ? {} : { columns: [...columns] }),
    });
    if (!answer.ok) return;
    saveFile(answer.value);
    const { row_count: rows, listed_count: matches } = answer.value;
    notifyDone(list === 'matches.window' ? say('common.export.doneMatches', { matches, rows }) : say('common.export.done', { rows }));
  }
  return (
    <ListMenu
      label={label}
      title={`${label}. ${say('common.export.hint')}`}
      icon={IconDownload}
      isLoading={command.isRunning}
      testId={testId}
    >
      <Menu.Item onClick={() => void save('csv')}>{say('common.export.csv')}</Menu.Item>
      <Menu.Item onClick={() => void save('xlsx')}>{say('common.export.xlsx')}</Menu.Item>
    </ListMenu>
  );
}
