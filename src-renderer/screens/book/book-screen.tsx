import { Box, Button, Flex, Loader, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconArrowsExchange, IconBook2, IconBuildingBank, IconCheck, IconFileImport, IconLink, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import type { Output } from '../../../src-shared/contract/index.ts';
import type { ChosenFile } from '../../../src-shared/contract/wire.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useConnection, useOperation } from '../../api/use-operation.ts';
import { useChosenFiles } from '../../components/choose-files.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { classes, Facts, Note, PaneHeader } from '../../components/primitives.tsx';
import { ProofBadge } from '../../components/badges.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countOf, countText } from '../../format/counts.ts';
import { dateRangeText, dateText } from '../../format/dates.ts';
import { plainAmount } from '../../format/money.ts';
import { proofSentence } from '../../format/proofs.ts';
import {
  bankLikeness,
  bySide,
  doubtOf,
  type FirstFile,
  firstHour,
  lacksCurrency,
  leaveOut,
  MOST_FILES,
  nameLikeness,
  readFirst,
  type Side,
  tieTogether,
} from '../../state/first-hour.ts';
import { openedFiles } from '../../state/import-flow.ts';
import { useNavigation } from '../../state/navigation.ts';
import { askToUndoImport } from '../../components/undo-dialogs.tsx';
import styles from './first-hour.module.css';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { Page } from '../../components/page.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { Home } from './home.tsx';
import { ImportButton } from './recent-imports.tsx';

type Stream = Output<'streams.list'>[number];

/** Returns the sides of the first reconciliation: accounts of the book that hold lines, then files that were read. */
function sidesOf(streams: readonly Stream[], files: readonly FirstFile[], isSwapped: boolean) {
  const ofStreams = streams.map((stream) => ({
    thing: { key: stream.key, name: stream.name, file: null } as Side,
    likeness: (stream.bank_account_id === null ? 0 : 5) + nameLikeness(stream.name),
  }));
  const ofFiles = files.map((file) => ({
    thing: { key: null, name: file.preview?.suggestion.stream_name ?? file.file.name, file } as Side,
    likeness: file.preview === null ? nameLikeness(file.file.name) : bankLikeness(file.preview),
  }));
  return bySide([...ofStreams, ...ofFiles].slice(0, MOST_FILES), isSwapped);
}

/** The first hour of a book: two files are dropped, looked at, and tied. */
function FirstHour({ streams }: { readonly streams: readonly Stream[] }) {
  const { files, isSwapped, currency } = useStore(firstHour);
  const connection = useConnection();
  const go = useNavigation((state) => state.go);
  const [isTying, setTying] = useState(false);
  const sides = sidesOf(streams, files, isSwapped);
  const choice = useChosenFiles(take);
  // A file that is still being read may name the currency.
  const isAsking =
    files.every(({ state }) => state !== 'reading') &&
    files.some(({ preview }) => preview !== null && lacksCurrency(preview)) &&
    !hasCurrency(streams, files);
  const isReady = isReadySide(sides.bank) && isReadySide(sides.books) && (!isAsking || /^[A-Za-z]{3}$/.test(currency.trim()));

  function take(chosen: readonly ChosenFile[]): void {
    // More files than there are sides go through the queue of the import.
    if (chosen.length + streams.length > MOST_FILES) {
      openedFiles.setState({ files: chosen });
      go({ screen: 'import', streamKey: null });
    } else void readFirst(connection, chosen);
  }
  async function tie(): Promise<void> {
    if (sides.bank === null || sides.books === null || !isReady || isTying) return;
    setTying(true);
    const taken = streams.map(({ key }) => key);
    const tied = await tieTogether(connection, { bank: sides.bank, books: sides.books }, taken);
    setTying(false);
    if (tied === null) return;
    if (!tied.ok) return notifyFailure(say('book.firstHour.notReconciled'), tied.error);
    const { reconciliationId: id, notRun } = tied.value;
    go({ screen: 'reconciliation', id });
    if (notRun !== null) notifyFailure(say('book.firstHour.notMatched'), notRun);
  }
  useShortcuts({ 'mod+Enter': () => void tie() });
  return (
    <div className={styles.whole} data-over={choice.isOver || undefined} data-testid="first-hour" {...choice.drop}>
      <Box component="header" className="line-below" py="lg" px="var(--edge)">
        <Title order={2}>{say('book.firstHour.title')}</Title>
        <Text c="dimmed">{say('book.firstHour.about')}</Text>
      </Box>
      <ol className={`plain ${styles.steps}`}>
        <SideStep number={1} isBank side={sides.bank} isNext={sides.bank === null} choice={choice} />
        <SideStep number={2} isBank={false} side={sides.books} isNext={sides.bank !== null && sides.books === null} choice={choice} />
        <TieStep
          isReady={isReady}
          isAsking={isAsking}
          isTying={isTying}
          hasBoth={sides.bank !== null && sides.books !== null}
          hasFiles={files.length > 0}
          onTie={() => void tie()}
        />
      </ol>
      {choice.input}
    </div>
  );
}

interface TieStepProps {
  readonly isReady: boolean;
  readonly isAsking: boolean;
  readonly isTying: boolean;
  readonly hasBoth: boolean;
  readonly hasFiles: boolean;
  readonly onTie: () => void;
}

/** The last step: asks for a currency that no file names, exchanges the sides, and starts. */
function TieStep({ isReady, isAsking, isTying, hasBoth, hasFiles, onTie }: TieStepProps) {
  const { currency, isSwapped } = useStore(firstHour);
  return (
    <Flex component="li" gap="md" miw={0} py="lg" px="var(--edge)" bg="var(--surface)" direction="column">
      <StepTitle number={3} isNext={isReady} title={say('book.firstHour.tie')} />
      <div className={styles.card} data-ready={isReady || undefined}>
        <IconLink size={24} stroke={1.5} aria-hidden />
        <Text fw={600}>{isReady ? say('book.firstHour.bothAreHere') : say('book.firstHour.waits')}</Text>
        {isAsking && (
          <TextInput
            label={say('book.firstHour.currency')}
            maxLength={3}
            w={180}
            value={currency}
            onChange={(event) => firstHour.setState({ currency: event.currentTarget.value })}
            data-testid="first-currency"
          />
        )}
        <WriteButton
          disabled={!isReady}
          loading={isTying}
          onClick={onTie}
          rightSection={<KeyHint keys="Ctrl Enter" />}
          aria-keyshortcuts="Control+Enter"
          data-testid="first-tie"
        >
          {hasFiles ? say('book.firstHour.importAndReconcile') : say('book.firstHour.reconcile')}
        </WriteButton>
        {hasBoth && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconArrowsExchange size={15} aria-hidden />}
            onClick={() => firstHour.setState({ isSwapped: !isSwapped })}
            data-testid="first-swap"
          >
            {say('book.firstHour.swap')}
          </Button>
        )}
      </div>
      <Ticks of={[say('book.firstHour.certainIsMatched'), say('book.firstHour.doubtfulIsProposed'), say('book.firstHour.restIsListed')]} />
    </Flex>
  );
}

function hasCurrency(streams: readonly Stream[], files: readonly FirstFile[]): boolean {
  return streams.some((stream) => stream.currency !== null) || files.some(({ preview }) => (preview?.result.currency ?? null) !== null);
}

function isReadySide(side: Side | null): boolean {
  if (side === null || side.file === null) return side !== null;
  const { preview, state } = side.file;
  return state === 'read' && preview !== null && doubtOf(preview) === null;
}

interface StepTitleProps {
  readonly number: number;
  readonly title: string;
  readonly isNext: boolean;
  readonly isDone?: boolean;
}

function StepTitle({ number, title, isNext, isDone = false }: StepTitleProps) {
  return (
    <Flex component="h3" gap="sm" align="center" m={0} fz="lg">
      <span className={styles.number} data-next={isNext || isDone || undefined}>
        {isDone ? <IconCheck size={14} aria-label={say('book.firstHour.done')} /> : number}
      </span>
      {title}
    </Flex>
  );
}

function Ticks({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="plain">
      {of.map((text) => (
        <li key={text} className="row mid">
          <IconCheck size={14} color="var(--matched)" aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  );
}

interface SideStepProps {
  readonly number: number;
  readonly isBank: boolean;
  readonly side: Side | null;
  readonly isNext: boolean;
  readonly choice: ReturnType<typeof useChosenFiles>;
}

/** One side: the place to drop its file, the file as it was read, or the account that holds its lines. */
function SideStep({ number, isBank, side, isNext, choice }: SideStepProps) {
  const Icon = isBank ? IconBuildingBank : IconBook2;
  const file = side?.file ?? null;
  // In a window that cannot take dropped files, the heading does not ask for it.
  const bankTitle = choice.canDrop ? say('book.firstHour.bankFile') : say('book.firstHour.chooseBankFile');
  const booksTitle = choice.canDrop ? say('book.firstHour.booksFile') : say('book.firstHour.chooseBooksFile');
  const title = isBank ? bankTitle : booksTitle;
  const done = isBank ? say('book.firstHour.bankIsHere') : say('book.firstHour.booksAreHere');
  const ticks = isBank
    ? [say('book.firstHour.columnsAreFound'), say('book.firstHour.balancesAreProved'), say('book.firstHour.noLineTwice')]
    : [say('book.firstHour.oneColumnOrTwo'), say('book.firstHour.vouchersAreReferences'), say('book.firstHour.noBalanceNeeded')];
  return (
    <Flex
      component="li"
      gap="md"
      miw={0}
      py="lg"
      px="var(--edge)"
      bg="var(--surface)"
      direction="column"
      data-testid={isBank ? 'first-bank' : 'first-books'}
    >
      <StepTitle number={number} title={side === null ? title : done} isNext={isNext} isDone={side !== null} />
      {side === null && (
        <div className={classes(styles.card, styles.drop)} data-next={isNext || undefined}>
          <Icon size={24} stroke={1.5} aria-hidden />
          <Text fw={600}>
            {choice.canDrop
              ? say('book.firstHour.drop', { what: isBank ? 'bank' : 'books' })
              : say('book.firstHour.choose', { what: isBank ? 'bank' : 'books' })}
          </Text>
          <Text size="sm" c="dimmed">
            {isBank ? say('book.firstHour.bankFormats') : say('book.firstHour.booksFormats')}
          </Text>
          <WriteButton
            variant={isNext ? 'filled' : 'default'}
            loading={choice.isSending}
            onClick={choice.open}
            data-testid={isBank ? 'choose-file' : 'choose-books'}
          >
            {say('imports.importScreen.chooseFiles')}
          </WriteButton>
        </div>
      )}
      {file !== null && <FileCard file={file} icon={<Icon size={16} aria-hidden />} />}
      {side !== null && side.key !== null && <StreamCard streamKey={side.key} name={side.name} icon={<Icon size={16} aria-hidden />} />}
      {file === null ? <Ticks of={ticks} /> : file.preview !== null && <FirstLines preview={file.preview} />}
    </Flex>
  );
}

/** A file as it was read, and what a person must answer before it is imported. */
function FileCard({ file: { file, state, preview, fault }, icon }: { readonly file: FirstFile; readonly icon: ReactNode }) {
  const go = useNavigation((navigation) => navigation.go);
  const doubt = fault ?? (preview === null ? null : doubtOf(preview));
  const result = preview?.result;
  const account = preview?.suggestion.bank_account_name ?? null;
  return (
    <div className={classes(styles.card, styles.filled)} data-testid="first-file">
      <div className="row">
        {icon}
        <b className="truncate strong grow" title={file.name}>
          {file.name}
        </b>
        {state !== 'read' && <Loader size={14} aria-label={say('shell.loading')} />}
        {result !== undefined && <ProofBadge proof={result.proof} explanation={proofSentence(result)} />}
      </div>
      {result !== undefined && (
        <Facts
          facts={[
            { name: say('book.firstHour.lines'), value: countText(result.rows - result.rejected) },
            { name: say('book.firstHour.days'), value: dateRangeText(result.date_range_start, result.date_range_end) },
            ...(result.opening_balance === null || result.closing_balance === null
              ? []
              : ([
                  {
                    name: say('book.firstHour.balance'),
                    value: say('book.firstHour.fromTo', {
                      opening: plainAmount(result.opening_balance, result.decimal_places),
                      closing: plainAmount(result.closing_balance, result.decimal_places),
                    }),
                  },
                ] as const)),
            ...(account === null ? [] : [{ name: say('book.firstHour.account'), value: account }]),
          ]}
        />
      )}
      {doubt !== null && <Note data-testid="first-doubt">{doubt}</Note>}
      <Flex gap="sm" mt="auto">
        {state === 'read' && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              leaveOut(file.token);
              openedFiles.setState({ files: [file] });
              go({ screen: 'import', streamKey: null });
            }}
            data-testid="first-look"
          >
            {doubt === null ? say('book.firstHour.look') : say('book.firstHour.answer')}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={() => leaveOut(file.token)} disabled={state === 'importing'}>
          {say('book.firstHour.leaveOut')}
        </Button>
      </Flex>
    </div>
  );
}

/** An account that holds lines already: what its last import brought, and the way back. */
function StreamCard({ streamKey, name, icon }: { readonly streamKey: string; readonly name: string; readonly icon: ReactNode }) {
  const go = useNavigation((state) => state.go);
  const { data: batches } = useOperation('import_batches.list', { key: streamKey, limit: 1 });
  const batch = batches?.data[0];
  return (
    <div className={classes(styles.card, styles.filled)} data-testid="first-stream">
      <div className="row">
        {icon}
        <b className="truncate strong grow" title={name}>
          {name}
        </b>
      </div>
      {batch !== undefined && (
        <Facts
          facts={[
            { name: say('book.firstHour.lines'), value: say('book.firstHour.importedLines', { count: batch.kept }) },
            { name: say('book.firstHour.days'), value: dateRangeText(batch.date_range_start, batch.date_range_end) },
          ]}
        />
      )}
      <Flex gap="sm" mt="auto">
        <Button size="xs" variant="default" onClick={() => go({ screen: 'stream', key: streamKey })}>
          {say('book.firstHour.lookAtLines')}
        </Button>
        {batch !== undefined && (
          <WriteButton size="xs" variant="subtle" color="gray" onClick={() => askToUndoImport(batch.id)} data-testid="first-undo">
            {say('book.firstHour.undo')}
          </WriteButton>
        )}
      </Flex>
    </div>
  );
}

const SHOWN = 5;

function FirstLines({ preview: { rows, result } }: { readonly preview: NonNullable<FirstFile['preview']> }) {
  const lines = rows.filter(({ outcome }) => outcome === 'new').slice(0, SHOWN);
  if (lines.length === 0) return null;
  return (
    <div className="framed clipped">
      <p className={`plain mid small ${styles.sample}`}>
        {say('book.firstHour.firstLines', { shown: lines.length, all: countText(result.rows) })}
      </p>
      <FigureTable columns={[{}, {}, { isFigure: true }]} isFitted>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.row} ${line.occurrence}`}>
              <td className="tabular">{line.date === null ? '' : dateText(line.date)}</td>
              <td className="rest">
                <div className="truncate" title={line.description ?? undefined}>
                  {line.description}
                </div>
              </td>
              <td className="amount">
                {line.amount === null ? '' : plainAmount(line.direction === 'debit' ? -line.amount : line.amount, line.decimal_places)}
              </td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
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
          {canReconcile ? say('book.tieTwoAccountsTogether') : say('book.oneMoreFileAndYouCanReconcile')}
        </Text>
        <Text c="dimmed">{canReconcile ? say('book.aReconciliationPutsALedger') : say('book.aReconciliationNeedsTwoAccounts')}</Text>
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
