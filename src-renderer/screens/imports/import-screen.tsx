import { Badge, Button, Group, Progress, SegmentedControl, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { IconArrowBackUp, IconCheck, IconFileImport } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { needsProof } from '../../../src-shared/contract/imports/imports.ts';
import type { ImportOverrule, ImportResult, Job, Output } from '../../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { say } from '../../../src-shared/words/say.ts';
import { followJob, type JobProgress } from '../../api/follow-job.ts';
import { type Connection, useCommand, useConnection, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { useChosenFiles } from '../../components/choose-files.tsx';
import { Day } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { ProofBadge } from '../../components/badges.tsx';
import { FilePassword } from '../../components/pdf-pages.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { balancesSentence } from '../../format/balances.ts';
import { countOf, countText } from '../../format/counts.ts';
import { progressText } from '../../format/job-words.ts';
import { signedOf } from '../../format/money.ts';
import { proofSentence } from '../../format/proofs.ts';
import {
  cancelled,
  type ImportFlow,
  importQueue,
  isWithoutMovement,
  isWorking,
  openedFiles,
  type QueueLine,
  queueOf,
  reasonToLook,
  shareOfQueue,
  streamOf,
  withDecision,
  withLine,
  withoutDecision,
} from '../../state/import-flow.ts';
import { useNavigation } from '../../state/navigation.ts';
import { askToUndoImport } from '../../components/undo-dialogs.tsx';
import styles from './import.module.css';
import { PreviewStep } from './preview-step.tsx';
import { Pager, ROWS_PER_PAGE, RowsPager } from './rows-table.tsx';
import { type ImportProcess, useImport } from './use-import.ts';

const STATES: Readonly<Record<QueueLine['state'], { readonly color: string; readonly label: string }>> = {
  waiting: { color: 'gray', label: say('imports.states.waiting.label') },
  reading: { color: 'blue', label: say('imports.states.reading.label') },
  importing: { color: 'blue', label: say('imports.states.importing.label') },
  done: { color: 'pine', label: say('imports.states.done.label') },
  look: { color: 'orange', label: say('imports.states.look.label') },
  failed: { color: 'red', label: say('imports.states.failed.label') },
  cancelled: { color: 'gray', label: say('imports.states.cancelled.label') },
  opened: { color: 'gray', label: say('imports.states.opened.label') },
};

interface QueuePanelProps {
  readonly queue: ImportQueue;
  readonly onOpen: (line: QueueLine) => void;
}

/** Several files, with one line each for its result. */
function QueuePanel({ queue, onOpen }: QueuePanelProps) {
  const { lines, progress } = queue;
  const isBusy = isWorking(lines);
  const done = lines.filter(({ state }) => state === 'done').length;
  return (
    <section aria-labelledby="queue-heading" data-testid="import-queue">
      <Group justify="space-between" gap="6px 16px" mb="xs">
        <Title order={2} id="queue-heading" aria-live="polite">
          {say('imports.importScreen.ofFilesImported', { done, lines: lines.length })}
        </Title>
        {isBusy ? (
          <Button variant="default" size="xs" onClick={queue.cancel} data-testid="queue-cancel">
            {say('imports.importScreen.cancelTheRest')}
          </Button>
        ) : (
          <Button variant="subtle" size="compact-sm" onClick={queue.clear} data-testid="queue-clear">
            {say('imports.importScreen.clearTheList')}
          </Button>
        )}
      </Group>
      {isBusy && <UnderWay lines={lines} progress={progress} />}
      <div className="card">
        <TableFrame least={480} highest={320} tabIndex={0} aria-label={say('imports.importScreen.files')}>
          <FigureTable columns={[{}, {}, {}]} isWrapping isFitted>
            <tbody>
              {lines.map((line, index) => (
                <tr key={line.file.token} data-testid={`queue-line-${index}`}>
                  <td className="wrap" style={{ width: '32%' }}>
                    {line.file.name}
                  </td>
                  <td>
                    <Text size="sm">{line.words}</Text>
                  </td>
                  <td>
                    <Group gap="xs" justify="flex-end" wrap="nowrap">
                      <Badge color={STATES[line.state].color}>{STATES[line.state].label}</Badge>
                      {line.state === 'look' && (
                        <Button
                          size="compact-xs"
                          disabled={isBusy}
                          aria-label={say('imports.importScreen.openNamed', { name: line.file.name })}
                          onClick={() => {
                            queue.open(index);
                            onOpen(line);
                          }}
                          data-testid={`queue-open-${index}`}
                        >
                          {say('imports.importScreen.open')}
                        </Button>
                      )}
                    </Group>
                  </td>
                </tr>
              ))}
            </tbody>
          </FigureTable>
        </TableFrame>
      </div>
    </section>
  );
}

/** One progress bar for all files, and the progress of the current one. */
function UnderWay({ lines, progress }: Pick<ImportQueue, 'lines' | 'progress'>) {
  const current = lines.find(({ state }) => state === 'reading' || state === 'importing');
  return (
    <div>
      <Progress
        value={Math.max(shareOfQueue(lines, progress?.progress ?? 0), 2)}
        animated
        aria-label={say('imports.importScreen.allFiles')}
        mb={6}
      />
      <Text size="sm" c="dimmed" className="wrap" mb="xs" data-testid="queue-progress">
        {current?.file.name ?? ''}
        {progress !== null && `: ${progressText(progress)}`}
      </Text>
    </div>
  );
}

/** Codes of the problems that name the decision about lines which are here already. */
const SAME_LINE_CODES: ReadonlySet<string> = new Set(['overlap_same', 'overlap_new']);

interface ImportDoneProps {
  readonly process: ImportProcess;
  readonly result: ImportResult;
}

/** Returns how many records came in, or how many balances where the file has no line. */
function whatCameIn(result: ImportResult): string {
  if (isWithoutMovement(result)) return countOf(result.balances.stated, 'count.balances');
  return countOf(result.batch_id === null ? 0 : result.kept, 'count.records');
}

/** The lines that looked like ones already there, and what became of the balances. */
function Remarks({ result }: { readonly result: ImportResult }) {
  return (
    <>
      {result.problems
        .filter(({ code }) => SAME_LINE_CODES.has(code))
        .map(({ code, message }) => (
          <Text key={code} size="sm" data-testid="imported-overlap">
            {message}
          </Text>
        ))}
      {result.balances.stated > 0 && (
        <Text size="sm" data-testid="imported-balances">
          {balancesSentence(result.balances)}
        </Text>
      )}
    </>
  );
}

/** The result of the import, how to undo it, and the next steps. */
function ImportDone({ process, result }: ImportDoneProps) {
  const { flow, again: onAgain } = process;
  const go = useNavigation((state) => state.go);
  const { data: streams } = useOperation('streams.list', {});
  const stream = streams?.find(({ key }) => key === result.stream);
  const { batch_id: batchId } = result;
  const { data: changes } = useOperation('undo.list', { limit: 200 });
  const canUndo = changes?.undo.some(({ import_batch_id: id }) => id === batchId) ?? false;
  const isUndone = batchId !== null && changes !== undefined && !canUndo;
  return (
    <Stack className="card" p="xl" gap="lg" data-testid="import-result">
      <Group gap="md" wrap="nowrap" align="flex-start">
        <ThemeIcon size={38} radius="xl" variant="light" aria-hidden>
          <IconCheck size={22} />
        </ThemeIcon>
        <Stack gap={4} miw={0}>
          <Title order={2} aria-live="polite">
            {isUndone
              ? say('imports.importScreen.thisImportWasUndone')
              : say('imports.importScreen.importedInto', { what: whatCameIn(result), stream: stream?.name ?? result.stream })}
          </Title>
          <Text size="sm" c="dimmed" className="wrap">
            {say('imports.importScreen.alreadyThereAndSkipped', {
              skipped: countText(result.skipped),
              rejected: countText(result.rejected),
              name: flow.file?.name ?? say('imports.importScreen.theFile'),
            })}
          </Text>
          {!isUndone && <Remarks result={result} />}
          <ProofOfResult result={result} isInBook={batchId !== null && !isUndone} />
        </Stack>
      </Group>
      {result.remembered !== null && !isUndone && <RememberedRecipe remembered={result.remembered} />}
      {!isUndone && <LeftOutRows key={flow.jobId} process={process} result={result} />}
      <Group gap="sm">
        <NextStep canReconcile={(streams?.filter(holdsLines).length ?? 0) > 1} />
        <Button variant="default" onClick={onAgain} data-testid="import-again">
          {say('imports.importScreen.importAnotherFile')}
        </Button>
        <Button variant="default" onClick={() => go({ screen: 'stream', key: result.stream })}>
          {say('imports.importScreen.showTheAccount')}
        </Button>
        {batchId !== null && canUndo && (
          <WriteButton
            variant="subtle"
            color="gray"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={() => askToUndoImport(batchId)}
            data-testid="undo-import"
          >
            {say('imports.importScreen.undoImport')}
          </WriteButton>
        )}
      </Group>
    </Stack>
  );
}

/** The proof of an import, and the consent that took its place. */
function ProofOfResult({ result, isInBook }: { readonly result: ImportResult; readonly isInBook: boolean }) {
  return (
    <>
      <Group gap="xs" mt="xs">
        <ProofBadge proof={result.proof} explanation={proofSentence(result)} />
        <Text size="sm">{proofSentence(result)}</Text>
      </Group>
      {needsProof(result) && isInBook && (
        <Text size="sm" data-testid="imported-unproved">
          {say('imports.unproved.imported')}
        </Text>
      )}
    </>
  );
}

function NextStep({ canReconcile }: { readonly canReconcile: boolean }) {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  const list = useOperation('reconciliations.list', { limit: 100 });
  const only = list.data?.data.length === 1 ? list.data.data[0] : undefined;
  if (only !== undefined)
    return (
      <Button onClick={() => go({ screen: 'reconciliation', id: only.id })}>
        {say('imports.importScreen.openNamed', { name: only.name })}
      </Button>
    );
  if (list.data?.data.length === 0 && canReconcile)
    return <WriteButton onClick={() => open('new_reconciliation')}>{say('imports.importScreen.newReconciliation')}</WriteButton>;
  return <Button onClick={() => go({ screen: 'book' })}>{say('imports.importScreen.toTheBook')}</Button>;
}

/** Chooses files in the shell's dialog where there is one, else in the page's input or by dropping them. */
function ChooseFile({ onChosen }: { readonly onChosen: (files: readonly ChosenFile[]) => void }) {
  const { canDrop, isOver, isSending, drop, open, input, choose } = useChosenFiles(onChosen);
  useOpenedFiles((files) => void choose(files));
  return (
    <div className={styles.drop} data-over={isOver || undefined} data-testid="drop-zone" role="presentation" {...drop}>
      <Stack align="center" gap="sm" ta="center">
        <Invitation canDrop={canDrop} />
        <WriteButton mt="xs" loading={isSending} onClick={open} data-testid="choose-file">
          {say('imports.importScreen.chooseFiles')}
        </WriteButton>
        {input}
      </Stack>
    </div>
  );
}

/** Calls `onOpened` with the files that were opened with Tieout, once. */
function useOpenedFiles(onOpened: (files: readonly ChosenFile[]) => void): void {
  const opened = useStore(openedFiles, (state) => state.files);
  const take = useEffectEvent((files: readonly ChosenFile[]) => {
    openedFiles.setState({ files: [] });
    onOpened(files);
  });
  useEffect(() => {
    if (opened.length > 0) take(opened);
  }, [opened]);
}

function Invitation({ canDrop }: { readonly canDrop: boolean }) {
  return (
    <>
      <IconFileImport size={40} stroke={1.3} color="var(--matched)" aria-hidden />
      <Text fw={580}>
        {canDrop
          ? say('imports.importScreen.dropBankStatementsOrLedgerExportsHere')
          : say('imports.importScreen.chooseBankStatementsOrLedgerExports')}
      </Text>
      <Text size="sm" c="dimmed" maw={440}>
        {say('imports.importScreen.csvAndExcelInAnyCommonShape')}
      </Text>
    </>
  );
}

/** Returns whether the controls of the preview show the error of the reading, beside the setting that corrects it. */
function isBesideControls({ step, failure, preview }: ImportFlow): boolean {
  return step === 'preview' && failure?.isOfReading === true && (preview?.head.length ?? 0) > 0;
}

/** Imports a file: choose it, check the preview, import. */
export function ImportScreen({ streamKey }: { readonly streamKey: string | null }) {
  const process = useImport(streamKey);
  const queue = useImportQueue(streamKey);
  const { flow } = process;
  const { finish } = queue;
  const imported = flow.step === 'done' ? flow.result : null;
  const finished = useEffectEvent((result: ImportResult) => flow.file !== null && finish(flow.file, result));
  useEffect(() => {
    if (imported !== null) finished(imported);
  }, [imported]);
  function take(files: readonly ChosenFile[]): void {
    const [file] = files;
    if (file !== undefined && files.length === 1) process.choose(file);
    else queue.take(files);
  }
  return (
    <Page
      title={say('imports.importScreen.importAFile')}
      subtitle={flow.file === null ? say('imports.importScreen.nothingIsStoredBefore') : flow.file.name}
      testId="import-screen"
    >
      {queue.lines.length > 0 && <QueuePanel queue={queue} onOpen={(line) => process.choose(line.file)} />}
      {flow.failure !== null && !isBesideControls(flow) && (
        <FailurePanel
          title={
            flow.step === 'choose' ? say('imports.importScreen.theFileCouldNotBeRead') : say('imports.importScreen.nothingWasImported')
          }
          failure={flow.failure}
        />
      )}
      {flow.step === 'choose' && !isWorking(queue.lines) ? <ChooseFile onChosen={take} /> : <NextFiles />}
      {flow.step === 'reading' && (
        <JobProgressPanel
          title={say('imports.importScreen.reading', { name: flow.file?.name ?? say('imports.importScreen.theFile') })}
          progress={process.progress}
          onCancel={process.cancel}
        />
      )}
      {flow.step === 'locked' && <LockedFile process={process} />}
      {flow.step === 'preview' && flow.preview !== null && <PreviewStep process={process} preview={flow.preview} />}
      {flow.step === 'importing' && (
        <JobProgressPanel
          title={say('imports.importScreen.importing', { name: flow.file?.name ?? say('imports.importScreen.theFile') })}
          progress={process.progress}
          onCancel={process.cancel}
        />
      )}
      {flow.step === 'done' && flow.result !== null && <ImportDone process={process} result={flow.result} />}
    </Page>
  );
}

/** Asks for the password of a locked file. The field is empty again for every question. */
function LockedFile({ process }: { readonly process: ImportProcess }) {
  const { file, lock } = process.flow;
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') process.unlock(password);
      }}
    >
      <Stack className="card" p="xl" gap="md" align="flex-start" data-testid="import-locked">
        <Title order={2} className="wrap">
          {say('imports.locked.title', { name: file?.name ?? '' })}
        </Title>
        <Text size="sm">{say('imports.locked.needsPassword')}</Text>
        <FilePassword field={field} password={password} isWrong={lock === 'wrong_password'} onChange={setPassword} />
        <Group gap="sm">
          <Button type="submit" disabled={password === ''} data-testid="unlock-file">
            {say('imports.locked.open')}
          </Button>
          <Button variant="subtle" color="gray" onClick={process.again}>
            {say('imports.previewStep.chooseAnotherFile')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Names the files that were opened with Tieout during this import, and come after it. */
function NextFiles() {
  const files = useStore(openedFiles, (state) => state.files);
  if (files.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" data-testid="next-files">
      {say('imports.nextFiles', { names: files.map((file) => file.name).join(', ') })}
    </Text>
  );
}

interface JobProgressPanelProps {
  readonly title: string;
  readonly progress: JobProgress | null;
  readonly onCancel: () => void;
}

function JobProgressPanel({ title, progress, onCancel }: JobProgressPanelProps) {
  const percent = progress?.progress ?? 0;
  return (
    <Stack className="card" p="xl" gap="sm" data-testid="import-progress">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={560} className="truncate">
          {title}
        </Text>
        <Button variant="default" size="xs" onClick={onCancel} data-testid="import-cancel">
          {say('imports.importScreen.cancel')}
        </Button>
      </Group>
      <Progress value={Math.max(percent, 2)} animated={percent < 100} aria-label={title} />
      <Text size="sm" c="dimmed" aria-live="polite" className="tabular">
        {progress === null ? say('imports.importScreen.starting') : progressText(progress)}
      </Text>
    </Stack>
  );
}

type Shown = 'skipped' | 'rejected' | 'kept';

interface LeftOutRowsProps {
  readonly process: ImportProcess;
  readonly result: ImportResult;
}

/** The rows of an import by outcome, page by page. Rows that were left out can be imported nevertheless. */
function LeftOutRows({ process, result }: LeftOutRowsProps) {
  const [decided, setDecided] = useState<readonly ImportOverrule[]>([]);
  const { skipped, rejected, kept, batch_id: batchId } = result;
  const views = [
    ...(skipped === 0 ? [] : [{ value: 'skipped', label: say('imports.importScreen.skipped', { skipped: countText(skipped) }) }]),
    ...(rejected === 0 ? [] : [{ value: 'rejected', label: say('imports.importScreen.notReadable', { rejected: countText(rejected) }) }]),
    ...(kept === 0 || batchId === null ? [] : [{ value: 'kept', label: say('imports.importScreen.imported', { kept: countText(kept) }) }]),
  ];
  const [chosen, setChosen] = useState(views[0]?.value);
  const { jobId, file } = process.flow;
  if (views.length === 0 || jobId === null) return null;
  const decisions = {
    takesNew: true,
    onDecide: (overrule: ImportOverrule) => setDecided((before) => withDecision(before, overrule)),
    onTakeBack: (row: Pick<ImportOverrule, 'row' | 'occurrence'>) => setDecided((before) => withoutDecision(before, row)),
  };
  return (
    <section aria-labelledby="left-out-heading" data-testid="left-out-rows">
      <Group justify="space-between" gap="6px 16px" mb="xs">
        <Title order={3} id="left-out-heading">
          {skipped + rejected === 0
            ? say('imports.importScreen.rows')
            : say('imports.importScreen.countOfRowsNotTakenIn', { rows: skipped + rejected })}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={say('imports.importScreen.rowsOnShow')}
          data={views}
          value={chosen ?? ''}
          onChange={setChosen}
          data-testid="rows-view"
        />
      </Group>
      {chosen === 'kept' && batchId !== null ? (
        <KeptRows batchId={batchId} kept={kept} />
      ) : (
        <RowsPager
          key={chosen}
          label={say('imports.importScreen.rowsNotTakenIn')}
          jobId={jobId}
          outcome={asOutcome(chosen)}
          currency={result.currency}
          pending={decided}
          decisions={file === null ? null : decisions}
        />
      )}
      {decided.length > 0 && <DecidedRows process={process} decided={decided} onLeaveOut={() => setDecided([])} />}
    </section>
  );
}

interface DecidedRowsProps {
  readonly process: ImportProcess;
  readonly decided: readonly ImportOverrule[];
  readonly onLeaveOut: () => void;
}

/** Imports the rows that a person decided about. A locked file is opened once more, by its password. */
function DecidedRows({ process, decided, onLeaveOut }: DecidedRowsProps) {
  const [password, setPassword] = useState('');
  const isLocked = process.flow.lock !== null;
  return (
    <Stack mt="sm" gap="sm">
      {isLocked && (
        <>
          <Text size="sm">{say('imports.locked.again')}</Text>
          <FilePassword password={password} isWrong={false} onChange={setPassword} />
        </>
      )}
      <Group gap="sm">
        <Button
          loading={process.isDeciding}
          disabled={isLocked && password === ''}
          onClick={() => void process.importDecided(decided, isLocked ? password : null)}
          data-testid="import-decided"
        >
          {say('imports.importScreen.importRowsAllTheSame', { decided: decided.length })}
        </Button>
        <Button variant="subtle" color="gray" onClick={onLeaveOut}>
          {say('imports.importScreen.leaveThemOut')}
        </Button>
        <Text size="sm" c="dimmed">
          {say('imports.importScreen.theyGoInAsAnImport')}
        </Text>
      </Group>
    </Stack>
  );
}

function asOutcome(shown: string | undefined): Exclude<Shown, 'kept'> {
  return shown === 'rejected' ? 'rejected' : 'skipped';
}

interface KeptRowsProps {
  readonly batchId: number;
  readonly kept: number;
}

/** The records of an import, page by page. They may have been edited since. */
function KeptRows({ batchId, kept }: KeptRowsProps) {
  const [page, setPage] = useState(1);
  const records = useOperation('import_batches.records', { id: batchId, limit: ROWS_PER_PAGE, offset: (page - 1) * ROWS_PER_PAGE });
  if (records.isLoadingError) {
    return <FailurePanel title={say('imports.importScreen.theRecordsCouldNotBeRead')} failure={records.error} onRetry={records.refetch} />;
  }
  if (records.data === undefined) return <Skeleton height={420} radius="lg" />;
  return (
    <div data-testid="rows-kept">
      <DataRows records={records.data.data} />
      <Pager listed={kept} page={page} onPage={setPage} />
    </div>
  );
}

/** The name under which the recipe was stored, and how to restore the previous version. */
function RememberedRecipe({ remembered }: { readonly remembered: NonNullable<ImportResult['remembered']> }) {
  const { id, name, former_id: formerId } = remembered;
  const [isBack, setBack] = useState(false);
  const restore = useCommand('import_recipes.restore', (failure) =>
    notifyFailure(say('imports.importScreen.theImportProfileCouldNotBePutBack'), failure),
  );
  async function putBack(): Promise<void> {
    if (formerId === null) return;
    const answer = await restore.run({ id, former_id: formerId });
    if (answer.ok) setBack(true);
  }
  if (isBack) {
    return (
      <Text size="sm" aria-live="polite" data-testid="remembered-recipe">
        {say('imports.importScreen.theImportProfileSaysAgain', { name })}
      </Text>
    );
  }
  return (
    <Group gap="xs" data-testid="remembered-recipe">
      <Text size="sm">
        {formerId === null
          ? say('imports.importScreen.howItWasRead', { name })
          : say('imports.importScreen.inPlaceOfWhatItSaidBefore', { name })}
      </Text>
      {formerId !== null && (
        <Button
          size="compact-sm"
          variant="default"
          loading={restore.isRunning}
          onClick={() => void putBack()}
          data-testid="put-back-recipe"
        >
          {say('imports.importScreen.putTheFormerOneBack')}
        </Button>
      )}
    </Group>
  );
}

type BatchRecord = Output<'import_batches.records'>['data'][number];

/** Records as they are in the book now, the last of the file first. */
function DataRows({ records }: { readonly records: readonly BatchRecord[] }) {
  const hasValueDates = records.some((record) => record.value_date !== null);
  return (
    <div className="card">
      <TableFrame least={420} highest={420} tabIndex={0} aria-label={say('imports.importScreen.recordsImported')}>
        <FigureTable
          columns={[
            { head: say('imports.importScreen.date') },
            ...(hasValueDates ? [{ head: say('imports.importScreen.valueDate') }] : []),
            { head: say('imports.importScreen.description') },
            { head: say('imports.importScreen.amount'), isFigure: true },
          ]}
          isWrapping
          isFitted
          isSticky
        >
          <tbody>
            {records.map((record) => (
              <tr key={record.id} data-testid="kept-row">
                <td>
                  <Day iso={record.date} />
                </td>
                {hasValueDates && (
                  <td>
                    <Day iso={record.value_date} />
                  </td>
                )}
                <td className="rest">
                  <div className="truncate" title={record.description ?? undefined}>
                    {record.description ?? '–'}
                  </div>
                </td>
                <td className="amount">
                  <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
                </td>
              </tr>
            ))}
          </tbody>
        </FigureTable>
      </TableFrame>
    </div>
  );
}

interface ImportQueue {
  readonly lines: readonly QueueLine[];
  readonly progress: JobProgress | null;
  readonly take: (files: readonly ChosenFile[]) => void;
  /** Cancels the current file and drops the waiting ones. Imported files stay imported. */
  readonly cancel: () => void;
  /** Marks a line whose file is opened in its own screen. */
  readonly open: (index: number) => void;
  /** Notes the import of a file that a person opened from the list. */
  readonly finish: (file: ChosenFile, result: ImportResult) => void;
  readonly clear: () => void;
}

type Ended = Pick<QueueLine, 'state' | 'words' | 'result'>;

function ended(result: ImportResult): Ended {
  const what = isWithoutMovement(result) ? countOf(result.balances.stated, 'count.balances') : countOf(result.kept, 'count.records');
  const { stream, skipped } = result;
  return { state: 'done', words: say('imports.importScreen.importedIntoWithSkipped', { what, stream, skipped }), result };
}

function failureOf(answer: Outcome<Job> | null): Ended {
  if (answer === null || (answer.ok && answer.value.status === 'cancelled')) {
    return { state: 'cancelled', words: say('imports.importScreen.cancelledNothingOfItWasStored'), result: null };
  }
  const words = answer.ok ? (answer.value.error_message ?? say('imports.importScreen.itCouldNotBeRead')) : answer.error.message;
  return { state: 'failed', words, result: null };
}

function setLines(change: (before: readonly QueueLine[]) => readonly QueueLine[]): void {
  importQueue.setState(({ lines }) => ({ lines: change(lines) }));
}

/** The number of the latest list, and the job that runs for it. A newer list ends an older one. */
const current: { turn: number; jobId: number | null } = { turn: 0, jobId: null };

/** Follows one job of the queue. Null when the queue was cancelled meanwhile. */
async function follow({ client, events }: Connection, asked: Promise<Outcome<Job>>): Promise<Outcome<Job> | null> {
  const own = current.turn;
  const started = await asked;
  if (!started.ok) return started;
  if (own !== current.turn) {
    void client.call('jobs.cancel', { id: started.value.id });
    return null;
  }
  current.jobId = started.value.id;
  const answer = await followJob(
    { client, events },
    started.value,
    (progress) => own === current.turn && importQueue.setState({ progress }),
  );
  if (own === current.turn) current.jobId = null;
  return answer;
}

async function importOne(connection: Connection, file: ChosenFile, streamKey: string | null, onImporting: () => void): Promise<Ended> {
  const { client } = connection;
  const target = streamKey === null ? {} : { stream_key: streamKey };
  const read = await follow(connection, client.call('imports.preview', { file_token: file.token, ...target }));
  const preview = read !== null && read.ok ? read.value.preview : null;
  if (preview === null) return failureOf(read);
  const reason = reasonToLook(preview, streamKey);
  const key = streamOf(preview, streamKey);
  if (reason !== null || key === null) return { state: 'look', words: '', ...reason, result: null };
  onImporting();
  const stored = await follow(
    connection,
    client.call('imports.start', { file_token: file.token, stream_key: key, keep_file: preview.suggestion.keep_file }),
  );
  const result = stored !== null && stored.ok && stored.value.status === 'completed' ? stored.value.import_result : null;
  if (result === null) return failureOf(stored);
  // The book changed between the preview and the import, for instance by another file of the same stream.
  return result.batch_id === null ? { state: 'look', words: say('imports.importScreen.itWasNotImported'), result: null } : ended(result);
}

async function work(connection: Connection, files: readonly ChosenFile[], streamKey: string | null): Promise<void> {
  current.turn += 1;
  const own = current.turn;
  importQueue.setState({ lines: queueOf(files), progress: null });
  for (const [index, file] of files.entries()) {
    if (own !== current.turn) return;
    setLines((before) => withLine(before, index, { state: 'reading' }));
    const end = await importOne(connection, file, streamKey, () => setLines((before) => withLine(before, index, { state: 'importing' })));
    // A newer list has taken the place of this one.
    if (importQueue.getState().lines[index]?.file.token !== file.token) return;
    setLines((before) => withLine(before, index, end));
  }
}

/**
 * Imports several files one after another, also while another screen is open. A file without questions is imported at once, the others wait for a
 * person, and a failure does not stop the rest.
 */
function useImportQueue(streamKey: string | null): ImportQueue {
  const connection = useConnection();
  const { lines, progress } = useStore(importQueue);
  return {
    lines,
    progress,
    take: (files) => void work(connection, files, streamKey),
    cancel() {
      current.turn += 1;
      if (current.jobId !== null) void connection.client.call('jobs.cancel', { id: current.jobId });
      setLines(cancelled);
    },
    open: (index) => setLines((before) => withLine(before, index, { state: 'opened', words: say('imports.importScreen.openedBelow') })),
    finish(file, result) {
      if (result.batch_id === null) return;
      setLines((before) => before.map((line) => (line.file.token === file.token ? { ...line, ...ended(result) } : line)));
    },
    clear: () => setLines(() => []),
  };
}
