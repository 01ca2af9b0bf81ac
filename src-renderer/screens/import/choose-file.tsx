import { Button, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/connection-context.ts';
import { notifyFailure } from '../../components/notify.tsx';
import styles from './import.module.css';

/** Choosing by the shell's dialog where there is one, else by the page's input or by dropping. */
export function ChooseFile({ onChosen }: { readonly onChosen: (file: ChosenFile) => void }) {
  const { chooseFile, sendFile } = useConnection();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isSending, setSending] = useState(false);

  async function take(asked: Promise<Outcome<ChosenFile> | null>): Promise<void> {
    setSending(true);
    const answer = await asked;
    setSending(false);
    if (answer === null) return;
    if (answer.ok) onChosen(answer.value);
    else notifyFailure('The file could not be taken', answer.error);
  }
  function takeFirst(files: FileList | null): void {
    const file = files?.[0];
    if (file !== undefined && sendFile !== null) void take(sendFile(file));
  }
  async function openDialog(): Promise<Outcome<ChosenFile> | null> {
    const chosen = chooseFile === null ? null : await chooseFile();
    return chosen === null ? null : { ok: true, value: chosen };
  }
  const canDrop = sendFile !== null;
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      takeFirst(event.dataTransfer.files);
    },
  };
  return (
    <div className={styles.drop} data-over={isOver || undefined} data-testid="drop-zone" role="presentation" {...(canDrop ? drop : {})}>
      <Stack align="center" gap="sm" ta="center">
        <Invitation canDrop={canDrop} />
        <Button
          mt="xs"
          loading={isSending}
          onClick={() => (chooseFile === null ? input.current?.click() : void take(openDialog()))}
          data-testid="choose-file"
        >
          Choose a file
        </Button>
        {chooseFile === null && (
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,.tab,.xlsx,.xls,.ofx,.qfx,.qif,.xml,.sta,.mt940,.940,.942,.bai,.bai2,.ach,text/csv,text/plain"
            className={styles.hiddenInput}
            tabIndex={-1}
            aria-label="File to import"
            onChange={(event) => {
              takeFirst(event.currentTarget.files);
              event.currentTarget.value = '';
            }}
            data-testid="file-input"
          />
        )}
      </Stack>
    </div>
  );
}

function Invitation({ canDrop }: { readonly canDrop: boolean }) {
  return (
    <>
      <IconFileImport size={40} stroke={1.3} color="var(--tieout-matched)" aria-hidden />
      <Text fw={580}>{canDrop ? 'Drop a bank statement or a ledger export here' : 'Choose a bank statement or a ledger export'}</Text>
      <Text size="sm" c="dimmed" maw={440}>
        CSV and Excel in any common shape, OFX, QIF, CAMT, MT940, BAI2 and NACHA. The file is read on this computer and sent nowhere.
      </Text>
    </>
  );
}
