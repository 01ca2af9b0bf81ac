import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failures/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { counted } from '../../format/values/counts.ts';
import { holdsLines } from '../../components/holds-lines.ts';
import { WriteButton } from '../../components/writing.tsx';
import { useNavigation } from '../../state/navigation.ts';
import styles from './book.module.css';
import { EmptyBook } from './empty-book.tsx';
import { ReconciliationCard } from './reconciliation-card.tsx';
import { StreamTable } from './stream-table.tsx';

/** The first screen: what is in the book and what there is to do. */
export function BookScreen() {
  const book = useQuery('book.overview', {});
  if (book.failure !== undefined && book.value === undefined) {
    return (
      <Page title="Book" testId="book-overview">
        <FailurePanel title="The book could not be opened" failure={book.failure} onRetry={book.refetch} />
      </Page>
    );
  }
  if (book.value === undefined) return <BookSkeleton />;
  const { streams } = book.value;
  if (streams.length === 0) return <EmptyBook />;
  const canReconcile = streams.filter(({ stream }) => holdsLines(stream)).length > 1;
  const records = streams.reduce((sum, { stream }) => sum + stream.record_count, 0);
  return (
    <Page
      title="Book"
      subtitle={`${counted(streams.length, 'stream')}, ${counted(records, 'record')}`}
      actions={<BookActions canReconcile={canReconcile} />}
      testId="book-overview"
    >
      <Reconciliations canReconcile={canReconcile} />
      <section aria-labelledby="streams-heading">
        <Title order={2} id="streams-heading" mb="sm">
          Streams
        </Title>
        <StreamTable streams={streams} />
      </section>
    </Page>
  );
}

function BookActions({ canReconcile }: { readonly canReconcile: boolean }) {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  return (
    <>
      <WriteButton
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => open('new_reconciliation')}
        disabled={!canReconcile}
        data-testid="new-reconciliation"
      >
        New reconciliation
      </WriteButton>
      <WriteButton
        variant="default"
        leftSection={<IconFileImport size={16} aria-hidden />}
        onClick={() => go({ screen: 'import', streamKey: null })}
        data-testid="import-button"
      >
        Import a file
      </WriteButton>
    </>
  );
}

function Reconciliations({ canReconcile }: { readonly canReconcile: boolean }) {
  const list = useQuery('reconciliations.list', { limit: 100 });
  return (
    <section aria-labelledby="reconciliations-heading">
      <Title order={2} id="reconciliations-heading" mb="sm">
        Reconciliations
      </Title>
      {list.failure !== undefined && list.value === undefined && (
        <FailurePanel title="The reconciliations could not be read" failure={list.failure} onRetry={list.refetch} />
      )}
      {list.isLoading && <Skeleton height={168} radius="lg" />}
      {list.value?.data.length === 0 && <NoReconciliation canReconcile={canReconcile} />}
      <div className={styles.cards}>
        {list.value?.data.map((reconciliation) => (
          <ReconciliationCard key={reconciliation.id} reconciliation={reconciliation} />
        ))}
      </div>
    </section>
  );
}

function NoReconciliation({ canReconcile }: { readonly canReconcile: boolean }) {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  return (
    <Stack className={`card ${styles.hint}`} align="flex-start" gap="sm">
      <Text fw={560}>{canReconcile ? 'Tie two streams together' : 'One more file, and you can reconcile'}</Text>
      <Text size="sm" c="dimmed">
        {canReconcile
          ? 'A reconciliation puts a ledger beside a bank statement, matches what agrees, and shows what is left on both sides.'
          : 'A reconciliation needs two streams, such as a bank statement and the ledger it should agree with.'}
      </Text>
      {canReconcile ? (
        <WriteButton leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('new_reconciliation')}>
          New reconciliation
        </WriteButton>
      ) : (
        <WriteButton leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => go({ screen: 'import', streamKey: null })}>
          Import the second file
        </WriteButton>
      )}
    </Stack>
  );
}

function BookSkeleton() {
  return (
    <Page title="Book" testId="book-loading">
      <Skeleton height={168} radius="lg" />
      <Skeleton height={220} radius="lg" />
    </Page>
  );
}
