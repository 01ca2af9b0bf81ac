import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PdfPlace } from '../../src-shared/values/pdf-place.ts';
import { say } from '../../src-shared/words/say.ts';
import { saveFile } from '../api/save-file.ts';
import { useAnswer } from '../api/use-operation.ts';
import { FailurePanel } from './failure-panel.tsx';
import { PdfPages } from './pdf-pages.tsx';

interface Shown {
  readonly batchId: number;
  /** The place to mark; null for none. */
  readonly place: PdfPlace | null;
}

/** The kept file that is on show; null when there is none. */
export const keptFileOnShow = createStore<{ readonly shown: Shown | null }>()(() => ({ shown: null }));

export function showKeptFile(shown: Shown | null): void {
  keptFileOnShow.setState({ shown });
}

/** Shows a file that was kept with its import: the pages of a PDF, and of any other file a way to save it. */
export function KeptFileDialog() {
  const shown = useStore(keptFileOnShow, (state) => state.shown);
  const close = (): void => showKeptFile(null);
  return (
    <Modal
      opened={shown !== null}
      onClose={close}
      size="min(64rem, 94vw)"
      title={shown === null ? undefined : say('imports.kept.title', { id: shown.batchId })}
      closeButtonProps={{ 'aria-label': say('imports.kept.close') }}
      data-testid="kept-file"
    >
      {shown !== null && <KeptFile {...shown} />}
    </Modal>
  );
}

/** The number of the one row that is marked. */
const ROW = 1;

function KeptFile({ batchId, place }: Shown) {
  const { data: file, error, refetch } = useAnswer('import_batches.file', { id: batchId });
  if (error !== null) return <FailurePanel title={say('imports.kept.cannotBeShown')} failure={error} onRetry={() => void refetch()} />;
  if (file === undefined) return <Skeleton height={480} radius="lg" />;
  const isPdf = file.content_type === 'application/pdf';
  const quarters = place === null ? [] : Array.from({ length: place.page }, (_, index) => (index === place.page - 1 ? place.quarter : 0));
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="6px 16px">
        <Text size="sm" className="wrap">
          {file.file_name}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => saveFile(file)}
          data-testid="kept-file-save"
        >
          {say('imports.kept.save')}
        </Button>
      </Group>
      {isPdf ? (
        <PdfPages
          content={file.content}
          password={null}
          quarters={quarters}
          places={place === null ? [] : [{ row: ROW, ...place }]}
          chosen={place === null ? null : CHOSEN}
          onChoose={() => undefined}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {say('imports.kept.noPages')}
        </Text>
      )}
    </Stack>
  );
}

const CHOSEN = { row: ROW } as const;
