import { VisuallyHidden } from '@mantine/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { say } from '../../src-shared/words/say.ts';
import { useConnection } from '../api/use-operation.ts';
import { unpacked } from '../state/import-flow.ts';
import { notifyFailure } from './notify.tsx';

const STATEMENTS =
  '.csv,.tsv,.txt,.tab,.xlsx,.xls,.pdf,.ofx,.qfx,.qif,.xml,.sta,.mt940,.940,.942,.bai,.bai2,.ach,.zip,.gz,text/csv,text/plain';

interface FileChoice {
  readonly canDrop: boolean;
  /** Whether files are held over the element that takes them. */
  readonly isOver: boolean;
  readonly isSending: boolean;
  /** The handlers of the element onto which files can be dropped; empty where they cannot. */
  readonly drop: Partial<Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>>;
  /** Asks for files, by the shell's dialog or by that of the browser. */
  readonly open: () => void;
  /** The browser's own input, to be placed somewhere; null where the shell has a dialog. */
  readonly input: ReactNode;
  /** Passes on files that the shell knows already. Each file in an archive counts as one. */
  readonly choose: (files: readonly ChosenFile[]) => Promise<void>;
}

/** Takes files of a person: dropped, or chosen in a dialog. */
export function useChosenFiles(onChosen: (files: readonly ChosenFile[]) => void): FileChoice {
  const { client, chooseFile, sendFile } = useConnection();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isSending, setSending] = useState(false);

  async function send(files: readonly File[], sendOne: (file: File) => Promise<Outcome<ChosenFile>>): Promise<void> {
    setSending(true);
    const taken: ChosenFile[] = [];
    for (const file of files) {
      const answer = await sendOne(file);
      if (answer.ok) taken.push(answer.value);
      else notifyFailure(say('imports.importScreen.couldNotBeTaken', { name: file.name }), answer.error);
    }
    await choose(taken);
    setSending(false);
  }
  async function choose(taken: readonly ChosenFile[]): Promise<void> {
    const { files, failures } = await unpacked(taken, async (file_token) => client.call('imports.parts', { file_token }));
    for (const { name, failure } of failures) notifyFailure(say('imports.importScreen.couldNotBeTaken', { name }), failure);
    if (files.length > 0) onChosen(files);
  }
  function take(files: FileList | null): void {
    if (files !== null && files.length > 0 && sendFile !== null) void send([...files], sendFile);
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
  return {
    canDrop: sendFile !== null,
    isOver,
    isSending,
    drop: sendFile === null ? {} : drop,
    open: () => (chooseFile === null ? input.current?.click() : void chooseFile().then(choose)),
    input: chooseFile === null && (
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          multiple
          accept={STATEMENTS}
          tabIndex={-1}
          aria-label={say('imports.importScreen.filesToImport')}
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
          data-testid="file-input"
        />
      </VisuallyHidden>
    ),
    choose,
  };
}
