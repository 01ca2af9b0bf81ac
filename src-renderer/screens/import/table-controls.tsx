import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ImportPreview, TableByHand } from '../../../src-shared/contract/index.ts';
import { delimiterChoices, encodingChoices, headerChoices, NO_HEADER, OTHER_DELIMITER } from '../../format/table-words.ts';
import { tableWith } from '../../state/table-edit.ts';
import type { ImportProcess } from './use-import.ts';

interface TableControlsProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
}

/** Where the table of the file is. Its columns are understood anew after each change. */
export function TableControls({ process, preview: { dialect, head } }: TableControlsProps) {
  const { flow } = process;
  const set = (change: TableByHand): void => process.readBy({ table: tableWith(flow, dialect.header_row, change) });
  const headerRow = flow.table?.header_row === undefined ? dialect.header_row : flow.table.header_row;
  const encoding = flow.table?.encoding ?? dialect.encoding;
  return (
    <>
      {encoding !== '' && (
        <Select
          label="Encoding"
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
        label="Header"
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

/** What was asked for is typed next. */
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
        label="Delimiter"
        data={delimiterChoices(used)}
        value={isTyped ? OTHER_DELIMITER : used}
        allowDeselect={false}
        onChange={choose}
        data-testid="table-delimiter"
      />
      {isTyped && (
        <TextInput
          label="Delimiting character"
          placeholder="One character"
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
