import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ImportPreview, TableByHand } from '../../../src-shared/contract/index.ts';
import { delimiterChoices, encodingChoices, headerChoices, NO_HEADER, OTHER_DELIMITER, sheetChoices } from '../../format/table-words.ts';
import { hasChoice, tableWith } from '../../state/table-edit.ts';
import type { ImportProcess } from './use-import.ts';
import { say } from '../../../src-shared/words/say.ts';

interface TableControlsProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
}

/** Says where the table of the file is. Each change reads its columns again. */
export function TableControls({ process, preview }: TableControlsProps) {
  const { flow } = process;
  const { dialect, head, sheets } = preview;
  const set = (change: TableByHand): void => process.readBy({ table: tableWith(flow, preview, change) });
  const headerRow = flow.table?.header_row === undefined ? dialect.header_row : flow.table.header_row;
  const encoding = flow.table?.encoding ?? dialect.encoding;
  return (
    <>
      {hasChoice(sheets) && <Sheet sheets={sheets} onChange={(sheet) => process.readBy({ table: { sheet } })} />}
      {encoding !== '' && (
        <Select
          label={say('imports.tableControls.encoding')}
          data={encodingChoices(encoding)}
          value={encoding}
          allowDeselect={false}
          searchable
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          onChange={(value) => value !== null && value !== encoding && set({ encoding: value })}
          data-testid="table-encoding"
        />
      )}
      {encoding !== '' && <Delimiter used={flow.table?.delimiter ?? dialect.delimiter} onChange={(delimiter) => set({ delimiter })} />}
      <Select
        label={say('imports.tableControls.header')}
        data={headerChoices(head, headerRow)}
        value={headerRow === null ? NO_HEADER : String(headerRow)}
        allowDeselect={false}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(value) => value !== null && set({ header_row: value === NO_HEADER ? null : Number(value) })}
        data-testid="table-header"
      />
    </>
  );
}

interface SheetProps {
  readonly sheets: ImportPreview['sheets'];
  readonly onChange: (sheet: string) => void;
}

/** Chooses the sheet. Settings of one sheet do not apply to another. */
function Sheet({ sheets, onChange }: SheetProps) {
  const place = sheets.findIndex(({ is_read: isRead }) => isRead);
  return (
    <Select
      label={say('imports.tableControls.sheet')}
      data={sheetChoices(sheets)}
      value={place < 0 ? null : String(place)}
      placeholder={say('imports.tableControls.chooseASheet')}
      allowDeselect={false}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(value) => {
        const chosen = sheets[Number(value)];
        if (value !== null && chosen !== undefined && !chosen.is_read) onChange(chosen.name);
      }}
      data-testid="table-sheet"
    />
  );
}

/** Focuses a field that the user has just opened. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

function Delimiter({ used, onChange }: { readonly used: string; readonly onChange: (delimiter: string) => void }) {
  const [isTyped, setTyped] = useState(false);
  function choose(value: string | null): void {
    if (value === null || value === used) return;
    setTyped(value === OTHER_DELIMITER);
    if (value !== OTHER_DELIMITER) onChange(value);
  }
  return (
    <>
      <Select
        label={say('imports.tableControls.delimiter')}
        data={delimiterChoices(used)}
        value={isTyped ? OTHER_DELIMITER : used}
        allowDeselect={false}
        onChange={choose}
        data-testid="table-delimiter"
      />
      {isTyped && (
        <TextInput
          label={say('imports.tableControls.delimitingCharacter')}
          placeholder={say('imports.tableControls.oneCharacter')}
          maxLength={1}
          ref={focus}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            if (typed.length !== 1) return;
            setTyped(false);
            onChange(typed);
          }}
          data-testid="table-delimiter-typed"
        />
      )}
    </>
  );
}
