import { Box, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange, IconBuildingBank, IconFileImport, IconNotebook, IconPlus } from '@tabler/icons-react';
import { PaneHeader } from '../../components/primitives.tsx';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { Page } from '../../components/page.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countOf } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './empty-book.module.css';
import { Home } from './home.tsx';
import { ImportButton } from './recent-imports.tsx';
import { say } from '../../../src-shared/words/say.ts';

const STEPS = [
  {
    Icon: IconBuildingBank,
    title: say('book.importABankStatement'),
    text: say('book.aCsvAnExcel'),
  },
  { Icon: IconNotebook, title: say('book.importTheLedger'), text: say('book.theExportOfYourBooks') },
  {
    Icon: IconArrowsExchange,
    title: say('book.reconcile'),
    text: say('book.whatAgreesIsMatched'),
  },
] as const;

/** The first steps in an empty book. */
function EmptyBook() {
  const go = useNavigation((state) => state.go);
  return (
    <div className={styles.empty}>
      <Stack gap="xs" align="center" ta="center" maw={520}>
        <Title order={2}>{say('book.thisBookIsEmpty')}</Title>
        <Text c="dimmed">{say('book.twoFilesAreAllItTakes')}</Text>
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
        {say('book.importAFile')}
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
          {say('book.newReconciliation')}
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
