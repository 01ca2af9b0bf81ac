import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange, IconBuildingBank, IconFileImport, IconNotebook, IconPlus } from '@tabler/icons-react';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { Page } from '../../components/page.tsx';
import { PaneHeader } from '../../components/pane-header.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './empty-book.module.css';
import homeStyles from './home.module.css';
import { Home } from './home.tsx';
import { ImportButton } from './recent-imports.tsx';

const STEPS = [
  {
    Icon: IconBuildingBank,
    title: 'Import a bank statement',
    text: 'A CSV, an Excel sheet or a bank format, as the bank gives it. Tieout shows what it understood before anything is stored.',
  },
  { Icon: IconNotebook, title: 'Import the ledger', text: 'The export of your books for the same time.' },
  {
    Icon: IconArrowsExchange,
    title: 'Reconcile',
    text: 'What agrees is matched; what is left is shown on both sides, with the difference.',
  },
] as const;

/** The first steps in an empty book. */
function EmptyBook() {
  const go = useNavigation((state) => state.go);
  return (
    <div className={styles.empty}>
      <Stack gap="xs" align="center" ta="center" maw={520}>
        <Title order={2}>This book is empty</Title>
        <Text c="dimmed">Two files are all it takes. They stay on this computer.</Text>
      </Stack>
      <ol className={styles.steps}>
        {STEPS.map(({ Icon, title, text }, index) => (
          <li key={title} className={styles.step}>
            <Icon size={22} stroke={1.6} color="var(--matched)" aria-hidden />
            <Text fw={600}>
              {index + 1}. {title}
            </Text>
            <Text c="dimmed">{text}</Text>
          </li>
        ))}
      </ol>
      <WriteButton
        size="md"
        leftSection={<IconFileImport size={16} aria-hidden />}
        rightSection={<KeyHint keys="I" />}
        aria-keyshortcuts="I"
        onClick={() => go({ screen: 'import', streamKey: null })}
        data-testid="import-button"
      >
        Import a file
      </WriteButton>
    </div>
  );
}

/** The first screen: the contents of the book and the work that is due. */
export function BookScreen() {
  const book = useOperation('book.overview', {});
  const list = useOperation('reconciliations.list', { limit: 100 });
  if (book.isLoadingError) {
    return (
      <Page title="Home" testId="book-overview">
        <FailurePanel title="The book could not be opened" failure={book.error} onRetry={book.refetch} />
      </Page>
    );
  }
  if (book.data === undefined) {
    return (
      <Page title="Home" testId="book-loading">
        <Skeleton height={20} />
        <Skeleton height={220} />
      </Page>
    );
  }
  if (book.data.streams.length === 0) {
    return (
      <Page title={book.data.name} testId="book-overview" isFlush>
        <EmptyBook />
      </Page>
    );
  }
  return <BookWithLines book={book.data} isFirst={list.data?.data.length === 0} />;
}

function BookWithLines({ book, isFirst }: { readonly book: Output<'book.overview'>; readonly isFirst: boolean }) {
  const open = useNavigation((state) => state.open);
  const canReconcile = book.streams.filter(({ stream }) => holdsLines(stream)).length > 1;
  return (
    <Page
      title={book.name}
      testId="book-overview"
      isFlush
      actions={
        <WriteButton
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => open('new_reconciliation')}
          disabled={!canReconcile}
          data-testid="new-reconciliation"
        >
          New reconciliation
        </WriteButton>
      }
    >
      {isFirst ? <FirstSteps streams={book.streams} canReconcile={canReconcile} /> : <Home />}
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
    <div className={homeStyles.steps}>
      <Stack className={homeStyles.hint} align="flex-start" gap="sm">
        <Text fw={600} size="lg">
          {canReconcile ? 'Tie two streams together' : 'One more file, and you can reconcile'}
        </Text>
        <Text c="dimmed">
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
      <section aria-labelledby="streams-heading">
        <PaneHeader title="Streams" id="streams-heading" count={`${counted(streams.length, 'stream')}, ${counted(records, 'record')}`}>
          <ImportButton />
        </PaneHeader>
        <div className={homeStyles.streams}>
          <StreamTable streams={streams} />
        </div>
      </section>
    </div>
  );
}
