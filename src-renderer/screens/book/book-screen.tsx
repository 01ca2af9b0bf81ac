import { Box, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { PaneHeader } from '../../components/primitives.tsx';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { Page } from '../../components/page.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countOf } from '../../format/counts.ts';
import { MOST_FILES } from '../../state/first-hour.ts';
import { useNavigation } from '../../state/navigation.ts';
import { FirstHour } from './first-hour.tsx';
import { Home } from './home.tsx';
import { ImportButton } from './recent-imports.tsx';
import { say } from '../../../src-shared/words/say.ts';

/** The first screen: the contents of the book and the work that is due. */
export function BookScreen() {
  const book = useOperation('book.overview', {});
  const list = useOperation('reconciliations.list', { limit: 100 });
  if (book.isLoadingError) {
    return (
      <Page title={say('book.home')} testId="book-overview">
        <FailurePanel title={say('book.theBookCouldNotBeOpened')} failure={book.error} onRetry={book.refetch} />
      </Page>
    );
  }
  if (book.data === undefined) {
    return (
      <Page title={say('book.home')} testId="book-loading">
        <Skeleton height={20} />
        <Skeleton height={220} />
      </Page>
    );
  }
  return <BookWithLines book={book.data} isFirst={list.data?.data.length === 0} />;
}

function BookWithLines({ book, isFirst }: { readonly book: Output<'book.overview'>; readonly isFirst: boolean }) {
  const open = useNavigation((state) => state.open);
  const canReconcile = book.streams.filter(({ stream }) => holdsLines(stream)).length > 1;
  const filled = book.streams.map(({ stream }) => stream).filter((stream) => holdsLines(stream) && stream.record_count > 0);
  // A book with more accounts than the two of a first reconciliation lists them.
  const isFilling = isFirst && filled.length <= MOST_FILES;
  return (
    <Page
      title={book.name}
      testId="book-overview"
      isFlush
      actions={
        <>
          {isFilling && <ImportButton />}
          <WriteButton
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => open('new_reconciliation')}
            disabled={!canReconcile}
            data-testid="new-reconciliation"
          >
            {say('book.newReconciliation')}
          </WriteButton>
        </>
      }
    >
      {isFilling ? <FirstHour streams={filled} /> : isFirst ? <FirstSteps streams={book.streams} canReconcile={canReconcile} /> : <Home />}
    </Page>
  );
}

interface FirstStepsProps {
  readonly streams: Output<'book.overview'>['streams'];
  readonly canReconcile: boolean;
}

/** The next steps in a book with files and no reconciliation. */
function FirstSteps({ streams, canReconcile }: FirstStepsProps) {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  const records = streams.reduce((sum, { stream }) => sum + stream.record_count, 0);
  return (
    <div>
      <Stack p="24px 20px" style={{ borderBottom: '1px solid var(--line)' }} align="flex-start" gap="sm">
        <Text fw={600} size="lg">
          {canReconcile ? say('book.tieTwoStreamsTogether') : say('book.oneMoreFileAndYouCanReconcile')}
        </Text>
        <Text c="dimmed">{canReconcile ? say('book.aReconciliationPutsALedger') : say('book.aReconciliationNeedsTwoStreams')}</Text>
        {canReconcile ? (
          <WriteButton leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('new_reconciliation')}>
            {say('book.newReconciliation')}
          </WriteButton>
        ) : (
          <WriteButton leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => go({ screen: 'import', streamKey: null })}>
            {say('book.importTheSecondFile')}
          </WriteButton>
        )}
      </Stack>
      <section aria-labelledby="streams-heading">
        <PaneHeader
          title={say('book.streams')}
          id="streams-heading"
          count={`${countOf(streams.length, 'count.streams')}, ${countOf(records, 'count.records')}`}
        >
          <ImportButton />
        </PaneHeader>
        <Box p="0 20px 20px">
          <StreamTable streams={streams} />
        </Box>
      </section>
    </div>
  );
}
