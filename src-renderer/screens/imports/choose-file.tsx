import { Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type DragEvent, type RefObject, useRef, useState } from 'react';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/connection-context.ts';
import { unpacked } from '../../state/import-queue.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import styles from './import.module.css';

const STATEMENTS = '.csv,.tsv,.txt,.tab,.xlsx,.xls,.ofx,.qfx,.qif,.xml,.sta,.mt940,.940,.942,.bai,.bai2,.ach,.zip,.gz,text/csv,text/plain';

/** Choosing by the shell's dialog where there is one, else by the page's input or by dropping. */
export function ChooseFile({ onChosen }: { readonly onChosen: (files: readonly ChosenFile[]) => void }) {
  const { client, chooseFile, sendFile } = useConnection();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isSending, setSending] = useState(false);

  async function send(files: readonly File[], send: (file: File) => Promise<Outcome<ChosenFile>>): Promise<void> {
    setSending(true);
    const taken: ChosenFile[] = [];
    for (const file of files) {
      const answer = await send(file);
      if (answer.ok) taken.push(answer.value);
      else notifyFailure(`${file.name} could not be taken`, answer.error);
    }
    await choose(taken);
    setSending(false);
  }
  /** Of an archive with several files each is one of its own. */
  async function choose(taken: readonly ChosenFile[]): Promise<void> {
    const { files, failures } = await unpacked(taken, async (file_token) => client.call('imports.parts', { file_token }));
    for (const { name, failure } of failures) notifyFailure(`${name} could not be taken`, failure);
    if (files.length > 0) onChosen(files);
  }
  function take(files: FileList | null): void {
    if (files !== null && files.length > 0 && sendFile !== null) void send([...files], sendFile);
  }
  async function openDialog(open: () => Promise<readonly ChosenFile[]>): Promise<void> {
    const chosen = await open();
    await choose(chosen);
  }
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
  };
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      data-testid="drop-zone"
      role="presentation"
      {...(sendFile === null ? {} : drop)}
    >
      <Stack align="center" gap="sm" ta="center">
        <Invitation canDrop={sendFile !== null} />
        <WriteButton
          mt="xs"
          loading={isSending}
          onClick={() => (chooseFile === null ? input.current?.click() : void openDialog(chooseFile))}
          data-testid="choose-file"
        >
          Choose files
        </WriteButton>
        {chooseFile === null && <FileInput input={input} onTaken={take} />}
      </Stack>
    </div>
  );
}

interface FileInputProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onTaken: (files: FileList | null) => void;
}

function FileInput({ input, onTaken }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      multiple
      accept={STATEMENTS}
      className={styles.hiddenInput}
      tabIndex={-1}
      aria-label="Files to import"
      onChange={(event) => {
        onTaken(event.currentTarget.files);
        event.currentTarget.value = '';
      }}
      data-testid="file-input"
    />
  );
}

function Invitation({ canDrop }: { readonly canDrop: boolean }) {
  return (
    <>
      <IconFileImport size={40} stroke={1.3} color="var(--matched)" aria-hidden />
      <Text fw={580}>{canDrop ? 'Drop bank statements or ledger exports here' : 'Choose bank statements or ledger exports'}</Text>
      <Text size="sm" c="dimmed" maw={440}>
        CSV and Excel in any common shape, OFX, QIF, CAMT, MT940, BAI2 and NACHA. Files are read on this computer and sent nowhere.
      </Text>
    </>
  );
}
