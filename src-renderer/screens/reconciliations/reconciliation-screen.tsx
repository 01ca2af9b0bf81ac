import {
  ActionIcon,
  Alert,
  Anchor,
  Badge,
  Box,
  Button,
  Group,
  Modal,
  Select,
  Skeleton,
  Stack,
  Switch,
  Tabs,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconAlertTriangle, IconChevronDown, IconChevronRight, IconChevronUp, IconPencil, IconPlayerPlayFilled } from '@tabler/icons-react';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { Letter } from '../../components/primitives.tsx';
import type { Call, Failure, Reconciliation, ReconciliationSummary, Stream } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { SidePicker } from '../../components/side-picker.tsx';
import { useNow } from '../../components/use-now.ts';
import { useKeptKeys, useShortcuts } from '../../components/use-shortcuts.ts';
import { useReadOnlyReason, WriteButton } from '../../components/writing.tsx';
import { countOf, countText, listText, openText } from '../../format/counts.ts';
import { currenciesApart, currenciesApartSentence } from '../../format/unbalanced.ts';
import { instantText } from '../../format/dates.ts';
import { plainAmount } from '../../format/money.ts';
import { sideNames } from '../../format/side-names.ts';
import {
  COLUMNS,
  differenceLabel,
  type SummaryColumn,
  type SummaryRow,
  type SummaryTable,
  summaryTables,
} from '../../format/summary-table.ts';
import { RUN_TYPE_HINTS, runSentence, SIGN_LABELS, SIGN_MEANINGS } from '../../format/words.ts';
import { rememberReconciliation, useNavigation } from '../../state/navigation.ts';
import { placeText } from '../../state/places.ts';
import { Groups } from '../matches/groups.tsx';
import { OpenLines } from '../matches/open-lines.tsx';
import { LineDrawer } from '../records/record-panel.tsx';
import { EvidenceTab } from '../rules/evidence-tab.tsx';
import { RulesTab } from '../rules/rules-tab.tsx';
import { RunBand, Runs } from '../runs/runs.tsx';
import { type RunControl, useRun } from '../runs/use-run.ts';
import styles from './reconciliation.module.css';
import summaryStyles from './summary.module.css';
import { say } from '../../../src-shared/words/say.ts';

interface SummaryBandProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
}

const HEADS: Readonly<Record<SummaryColumn, string>> = {
  matched: say('reconciliations.heads.matched'),
  open: say('reconciliations.heads.open'),
  proposed: say('reconciliations.heads.proposed'),
  total: say('reconciliations.heads.total'),
};
/** Signs in front of the columns that show how they add up. */
const SIGNS: Readonly<Record<SummaryColumn, string>> = { matched: '', open: '+', proposed: '', total: '=' };

/** Matched + open = total for both sides, and the difference of each currency, in one line that never wraps. */
function FoldedSummary({ summary, tables }: { readonly summary: ReconciliationSummary; readonly tables: readonly SummaryTable[] }) {
  const sides = [
    { mark: 'A', figures: summary.side_a },
    { mark: 'B', figures: summary.side_b },
  ];
  const differences = tables.map((table) => ({ table, net: (table.left ?? table.difference).total.net }));
  const label = tables[0] === undefined ? '' : differenceLabel(tables[0]);
  const text = ({ table, net }: (typeof differences)[number]): string => `${table.currency} ${plainAmount(net, table.decimal_places)}`;
  return (
    <p className={`plain tabular truncate ${summaryStyles.line}`} title={differences.map(text).join('\n')} data-testid="summary-line">
      {sides.map(({ mark, figures }) => (
        <span key={mark}>
          <Letter aria-hidden>{mark}</Letter>
          {say('reconciliations.foldedSummary.side', {
            matched: countText(figures.matched),
            open: countText(figures.open),
            total: countText(figures.records),
          })}
        </span>
      ))}
      <span>{label}</span>
      {differences.map((difference) => (
        <b key={difference.table.currency} data-open={difference.net !== 0 || undefined}>
          {text(difference)}
        </b>
      ))}
    </p>
  );
}

/** Matched + open = total for both sides, with the proposed part of the open lines, and the difference below. There is one block per currency. */
function SummaryBand({ reconciliation, summary }: SummaryBandProps) {
  const [isFolded, setFolded] = useLocalStorage({ key: 'tieout-summary-folded', defaultValue: false, getInitialValueInEffect: false });
  useShortcuts({ s: () => setFolded(!isFolded) });
  if (summary === undefined) return <Skeleton height={isFolded ? 28 : 104} style={{ flexShrink: 0 }} />;
  const tables = summaryTables(summary, reconciliation.sign_convention);
  const label = isFolded ? say('reconciliations.foldedSummary.unfold') : say('reconciliations.foldedSummary.fold');
  return (
    <div className={summaryStyles.band} data-folded={isFolded || undefined}>
      {isFolded ? (
        <FoldedSummary summary={summary} tables={tables} />
      ) : (
        <SummaryTables reconciliation={reconciliation} summary={summary} tables={tables} />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        aria-expanded={!isFolded}
        aria-keyshortcuts="S"
        title={`${label} (S)`}
        onClick={() => setFolded(!isFolded)}
        data-testid="fold-summary"
      >
        {isFolded ? <IconChevronDown size={15} aria-hidden /> : <IconChevronUp size={15} aria-hidden />}
      </ActionIcon>
    </div>
  );
}

interface SummaryTablesProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary;
  readonly tables: readonly SummaryTable[];
}

function SummaryTables({ reconciliation, summary, tables }: SummaryTablesProps) {
  const names = sideNames(reconciliation);
  return (
    <section className={summaryStyles.summary} aria-label={say('reconciliations.summary')} data-testid="summary">
      <table className={summaryStyles.table}>
        <thead>
          <tr>
            <th scope="col" className={summaryStyles.corner}>
              {tables.length === 1 ? tables[0]?.currency : ''}
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" colSpan={3}>
                <span className={summaryStyles.dot} data-mark={column} aria-hidden />
                {HEADS[column]}
              </th>
            ))}
          </tr>
        </thead>
        {tables.length === 0 && (
          <tbody>
            <tr>
              <Box component="td" c="dimmed" colSpan={1 + 3 * COLUMNS.length}>
                {say('reconciliations.neitherSideHasALine')}
              </Box>
            </tr>
          </tbody>
        )}
        {tables.map((table) => (
          <Block key={table.currency} table={table} names={names} isOnly={tables.length === 1} differing={summary.differing_matches} />
        ))}
      </table>
    </section>
  );
}

interface BlockProps {
  readonly table: SummaryTable;
  readonly names: { readonly a: string; readonly b: string };
  readonly isOnly: boolean;
  /** The number of matches with a difference, over all currencies. */
  readonly differing: number;
}

function Block({ table, names, isOnly, differing }: BlockProps) {
  const { adjusted, left, difference, decimal_places: places } = table;
  const last = left ?? difference;
  const label = differenceLabel(table);
  const where = isOnly && differing > 0 ? countOf(differing, 'count.matches') : '';
  return (
    <tbody data-testid={`summary-${table.currency}`}>
      {!isOnly && (
        <tr>
          <th scope="rowgroup" className={summaryStyles.currency} colSpan={1 + 3 * COLUMNS.length}>
            {table.currency}
          </th>
        </tr>
      )}
      <Row mark="A" label={names.a} row={table.a} places={places} />
      <Row mark="B" label={names.b} row={table.b} places={places} />
      <Row
        label={label}
        row={difference}
        places={places}
        kind={adjusted === null ? 'last' : 'sum'}
        where={adjusted === null ? where : ''}
      />
      {adjusted !== null && left !== null && (
        <>
          <Row label={say('reconciliations.adjustments')} row={adjusted} places={places} kind="adjusted" />
          <Row label={say('reconciliations.differenceLeft')} row={last} places={places} kind="last" where={where} />
        </>
      )}
    </tbody>
  );
}

interface RowProps {
  readonly mark?: 'A' | 'B';
  readonly label: string;
  readonly row: SummaryRow;
  readonly places: number;
  readonly kind?: 'sum' | 'adjusted' | 'last';
  /** The number of matches that hold the difference of the matched lines. */
  readonly where?: string;
}

function Row({ mark, label, row, places, kind, where = '' }: RowProps) {
  return (
    <tr data-kind={kind} data-testid={kind === undefined ? undefined : `summary-${kind}`}>
      <th scope="row" title={label}>
        {mark !== undefined && <Letter aria-hidden>{mark}</Letter>}
        <span className={summaryStyles.name}>{label}</span>
      </th>
      {COLUMNS.map((column) => {
        const { count, net } = row[column];
        const isOpen = kind === 'last' && net !== 0;
        return (
          <Fragment key={column}>
            <td className={summaryStyles.sign} aria-hidden>
              {SIGNS[column]}
            </td>
            <td className={summaryStyles.count}>{count === null ? (column === 'matched' ? where : '') : countText(count)}</td>
            <td
              className={summaryStyles.net}
              data-open={isOpen || undefined}
              data-part={column === 'proposed' || undefined}
              data-testid={kind === 'last' && column === 'total' ? 'difference' : undefined}
            >
              {plainAmount(net, places)}
            </td>
          </Fragment>
        );
      })}
    </tr>
  );
}

/** In the order of their digits. */
const TAB_NAMES = ['open', 'proposed', 'matched', 'rules', 'runs', 'evidence'] as const;
type TabName = (typeof TAB_NAMES)[number];

/** Tabs whose cards need a margin. */
const PADDED: ReadonlySet<TabName> = new Set(['rules', 'runs', 'evidence']);

interface ReconciliationTabsProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
  readonly run: RunControl;
  readonly firstTab: TabName;
}

/** The tabs: open, proposed, matched, rules, runs and evidence. The close is a screen of its own. A visited tab keeps its state. */
function ReconciliationTabs({ reconciliation, summary, run, firstTab }: ReconciliationTabsProps) {
  const go = useNavigation((state) => state.go);
  const [tab, setTab] = useState(firstTab);
  const [visited, setVisited] = useState<ReadonlySet<TabName>>(new Set([firstTab]));
  const closePlace = { screen: 'close', key: reconciliation.id, periodId: null } as const;
  function show(name: TabName): void {
    setVisited(new Set([...visited, name]));
    setTab(name);
  }
  const ways = [...TAB_NAMES.map((name) => () => show(name)), () => go(closePlace)];
  // A digit alone takes a suggestion while there are some beside a line; G and the digit shows the tab always.
  useShortcuts(Object.fromEntries(ways.flatMap((way, place) => [`${place + 1}`, `g ${place + 1}`].map((keys) => [keys, way]))));
  const { data: rules } = useOperation('rules.list', { reconciliation_id: reconciliation.id });
  const { data: reviews } = useOperation('evidence.reviews', { id: reconciliation.id, limit: 1 });
  const toReview = reviews?.total_count ?? 0;
  const hasProposed = rules?.some((rule) => rule.status === 'proposed') ?? false;
  const isMixed = summary !== undefined && Math.max(summary.side_a.totals.length, summary.side_b.totals.length) > 1;
  const open = summary === undefined ? null : summary.side_a.open + summary.side_b.open;
  const proposed = summary === undefined ? 0 : summary.side_a.proposed + summary.side_b.proposed;
  const decimalPlaces = summary?.side_a.totals[0]?.decimal_places ?? 2;
  const groups = { reconciliation, isMixed, places: isMixed ? null : decimalPlaces };
  const panel = (name: TabName, content: ReactNode): ReactNode => (
    <Tabs.Panel value={name} className={styles.tabPanel} data-padded={PADDED.has(name) || undefined} keepMounted>
      {visited.has(name) ? content : null}
    </Tabs.Panel>
  );
  return (
    <Tabs value={tab} onChange={(name) => show((name ?? 'open') as TabName)} className={styles.tabs} keepMountedMode="display-none">
      <div className={styles.tabRow}>
        <Tabs.List>
          <Tab
            name="open"
            label={say('reconciliations.openLines')}
            count={open}
            color="orange"
            hint={open === null ? undefined : openText(open, proposed)}
          />
          <Tab name="proposed" label={say('reconciliations.proposed')} count={summary?.proposed_matches ?? null} color="violet" />
          <Tab name="matched" label={say('reconciliations.matched')} count={summary?.matches ?? null} color="pine" />
          <Tab name="rules" label={say('reconciliations.rules')} count={rules?.length ?? null} color={hasProposed ? 'violet' : 'gray'} />
          <Tab name="runs" label={say('reconciliations.runs')} count={null} color="gray" />
          <Tab name="evidence" label={say('reconciliations.evidence')} count={toReview === 0 ? null : toReview} color="orange" />
        </Tabs.List>
        <CloseLink href={`#${placeText(closePlace)}`} onOpen={() => go(closePlace)} />
      </div>
      <LineDrawer />
      {panel('open', <OpenLines reconciliation={reconciliation} summary={summary} isShown={tab === 'open'} />)}
      {panel('proposed', <Groups {...groups} status="proposed" isShown={tab === 'proposed'} />)}
      {panel('matched', <Groups {...groups} status="matched" isShown={tab === 'matched'} />)}
      {panel('rules', <RulesTab reconciliation={reconciliation} decimalPlaces={decimalPlaces} run={run} />)}
      {panel('evidence', <EvidenceTab reconciliation={reconciliation} />)}
      {panel('runs', <Runs id={reconciliation.id} decimalPlaces={decimalPlaces} />)}
    </Tabs>
  );
}

function CloseLink({ href, onOpen }: { readonly href: string; readonly onOpen: () => void }) {
  return (
    <Anchor
      href={href}
      onClick={(event) => {
        event.preventDefault();
        onOpen();
      }}
      className="row strong nowrap"
      px="sm"
      aria-keyshortcuts="7"
      data-testid="tab-close"
    >
      {say('reconciliations.closeTheMonth')}
      <IconChevronRight size={14} aria-hidden />
    </Anchor>
  );
}

function Tab({
  name,
  label,
  count,
  color,
  hint,
}: {
  readonly name: TabName;
  readonly label: string;
  readonly count: number | null;
  readonly color: string;
  /** Explains the parts of the count. */
  readonly hint?: string | undefined;
}) {
  return (
    <Tabs.Tab
      value={name}
      data-testid={`tab-${name}`}
      rightSection={
        count === null ? null : (
          <Badge color={count === 0 ? 'gray' : color} size="sm" className="tabular" title={hint}>
            {countText(count)}
          </Badge>
        )
      }
    >
      {label}
    </Tabs.Tab>
  );
}

/** One reconciliation: run it, look at its matches and open lines, and match by hand. */
export function ReconciliationScreen({ id, firstTab }: { readonly id: number; readonly firstTab: TabName }) {
  useEffect(() => rememberReconciliation(id), [id]);
  const reconciliation = useOperation('reconciliations.get', { id });
  const { data: summary } = useOperation('reconciliations.summary', { id });
  const run = useRun(id, reconciliation.data);
  const [isEditing, setEditing] = useState(false);
  useShortcuts({ 'mod+Enter': run.start, e: () => setEditing(true) });
  useKeptKeys(reconciliation.isPending);
  if (reconciliation.isLoadingError) {
    return (
      <Page title={say('reconciliations.reconciliation')}>
        <FailurePanel
          title={say('reconciliations.theReconciliationCouldNotBeOpened')}
          failure={reconciliation.error}
          onRetry={reconciliation.refetch}
        />
      </Page>
    );
  }
  if (reconciliation.data === undefined) {
    return (
      <Page title={say('reconciliations.reconciliation')} isFilling>
        <Skeleton height={104} radius="lg" />
        <Skeleton flex={1} radius="lg" />
      </Page>
    );
  }
  return (
    <Page
      title={reconciliation.data.name}
      subtitle={<Facts reconciliation={reconciliation.data} isRunning={run.progress !== null} />}
      actions={
        <>
          <RunsByItself reconciliation={reconciliation.data} />
          <WriteButton
            variant="default"
            leftSection={<IconPencil size={15} aria-hidden />}
            onClick={() => setEditing(true)}
            aria-keyshortcuts="E"
            data-testid="edit-reconciliation"
          >
            {say('reconciliations.edit')}
          </WriteButton>
          <RunButton run={run} />
        </>
      }
      testId="reconciliation-screen"
      isFlush
    >
      {run.progress !== null && <RunBand progress={run.progress} origin={run.origin} onCancel={run.cancel} />}
      {isEditing && <EditReconciliation reconciliation={reconciliation.data} onClose={() => setEditing(false)} />}
      <NoSharedCurrency reconciliation={reconciliation.data} summary={summary} />
      <SummaryBand reconciliation={reconciliation.data} summary={summary} />
      <ReconciliationTabs reconciliation={reconciliation.data} summary={summary} run={run} firstTab={firstTab} />
    </Page>
  );
}

function RunButton({ run }: { readonly run: RunControl }) {
  return (
    <WriteButton
      leftSection={<IconPlayerPlayFilled size={15} aria-hidden />}
      rightSection={<KeyHint keys={/Mac/.test(navigator.userAgent) ? '⌘ ↵' : 'Ctrl ↵'} />}
      onClick={run.start}
      loading={run.isStarting}
      disabled={run.progress !== null}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      data-testid="run-button"
    >
      {say('reconciliations.run')}
    </WriteButton>
  );
}

type Signs = Reconciliation['sign_convention'];
type Change = Omit<Call<'reconciliations.update'>, 'id' | 'run_type'>;

interface Draft {
  readonly name: string;
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly signs: Signs;
}

function draftOf(reconciliation: Reconciliation): Draft {
  return {
    name: reconciliation.name,
    a: reconciliation.side_a_streams.map(({ key }) => key),
    b: reconciliation.side_b_streams.map(({ key }) => key),
    signs: reconciliation.sign_convention,
  };
}

/** Returns the members that differ between two drafts, as the service takes them. */
function changeBetween(before: Draft, after: Draft, streams: readonly Stream[]): Change {
  const ids = (keys: readonly string[]) => streams.filter(({ key }) => keys.includes(key)).map(({ id }) => id);
  const isOther = (one: readonly string[], two: readonly string[]) => one.toSorted().join(' ') !== two.toSorted().join(' ');
  return {
    ...(after.name.trim() === before.name ? {} : { name: after.name.trim() }),
    ...(isOther(before.a, after.a) ? { side_a_stream_ids: ids(after.a) } : {}),
    ...(isOther(before.b, after.b) ? { side_b_stream_ids: ids(after.b) } : {}),
    ...(after.signs === before.signs ? {} : { sign_convention: after.signs }),
  };
}

interface EditReconciliationProps {
  readonly reconciliation: Reconciliation;
  readonly onClose: () => void;
}

/** Edits the name, the streams of the sides and the sign convention. When the service refuses, the entries stay and the reason is shown. */
function EditReconciliation({ reconciliation, onClose }: EditReconciliationProps) {
  const streams = useOperation('streams.list', {});
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={say('reconciliations.editReconciliation')}
      closeButtonProps={{ 'aria-label': say('reconciliations.close') }}
      data-testid="edit-reconciliation-dialog"
    >
      {streams.isLoadingError ? (
        <FailurePanel title={say('reconciliations.theAccountsCouldNotBeRead')} failure={streams.error} onRetry={streams.refetch} />
      ) : streams.data === undefined ? (
        <Skeleton height={240} />
      ) : (
        <Form reconciliation={reconciliation} streams={streams.data.filter(holdsLines)} onClose={onClose} />
      )}
    </Modal>
  );
}

/** Saves a draft. The notification offers to undo it. */
function useSave(reconciliation: Reconciliation, streams: readonly Stream[], onClose: () => void) {
  const { id } = reconciliation;
  const [before] = useState(() => draftOf(reconciliation));
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('reconciliations.update', setFailure);
  async function save(draft: Draft): Promise<void> {
    const change = changeBetween(before, draft, streams);
    if (Object.keys(change).length === 0) return onClose();
    const answer = await update.run({ id, ...change });
    if (!answer.ok) return;
    onClose();
  }
  return { before, failure, forgetFailure: () => setFailure(null), isSaving: update.isRunning, save };
}

function Form({ reconciliation, streams, onClose }: EditReconciliationProps & { readonly streams: readonly Stream[] }) {
  const { before, failure, forgetFailure, isSaving, save } = useSave(reconciliation, streams, onClose);
  const [draft, setDraft] = useState(before);
  const isComplete = draft.name.trim() !== '' && draft.a.length > 0 && draft.b.length > 0;
  const edit = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    forgetFailure();
  };
  const refused = (side: 'a' | 'b') => failure?.errors?.find(({ path }) => path.startsWith(`side_${side}_stream_ids`))?.message;
  const isShownAtField = refused('a') !== undefined || refused('b') !== undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void save(draft);
      }}
    >
      <Stack>
        <TextInput
          label={say('reconciliations.name')}
          value={draft.name}
          maxLength={255}
          onChange={(event) => edit({ name: event.currentTarget.value })}
          data-autofocus
          data-testid="edit-name"
        />
        <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
          <SidePicker side="a" streams={streams} keys={draft.a} taken={draft.b} error={refused('a')} onChange={(a) => edit({ a })} />
          <SidePicker side="b" streams={streams} keys={draft.b} taken={draft.a} error={refused('b')} onChange={(b) => edit({ b })} />
        </Group>
        <Select
          label={say('reconciliations.signs')}
          description={SIGN_MEANINGS[draft.signs]}
          data={Object.entries(SIGN_LABELS).map(([value, label]) => ({ value, label }))}
          value={draft.signs}
          onChange={(signs) => edit({ signs: (signs ?? draft.signs) as Signs })}
          allowDeselect={false}
          data-testid="edit-signs"
        />
        <Text size="sm" c="dimmed">
          {say('reconciliations.anAccountCanLeave')}
        </Text>
        {!isShownAtField && <FailureAlert title={say('reconciliations.thisWasNotChanged')} failure={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('reconciliations.cancel')}
          </Button>
          <WriteButton type="submit" disabled={!isComplete} loading={isSaving} data-testid="edit-save">
            {say('reconciliations.save')}
          </WriteButton>
        </Group>
      </Stack>
    </form>
  );
}

/** The facts below the name: the sides, the sign convention, and the last run. */
function Facts({ reconciliation, isRunning }: { readonly reconciliation: Reconciliation; readonly isRunning: boolean }) {
  const now = useNow();
  const { last_run: last, sign_convention: signs } = reconciliation;
  const at = last?.completed_at ?? null;
  const sides = say('reconciliations.against', {
    sideAStreams: listText(reconciliation.side_a_streams.map(({ name }) => name)),
    sideBStreams: listText(reconciliation.side_b_streams.map(({ name }) => name)),
  });
  return (
    <Group gap="xs" wrap="wrap">
      <Text size="sm" className="truncate" title={sides} flex="1 1 12rem" maw="max-content">
        {sides}
      </Text>
      <Tooltip label={SIGN_MEANINGS[signs]}>
        <Badge color="gray" tabIndex={0} style={{ cursor: 'help' }}>
          {SIGN_LABELS[signs]}
        </Badge>
      </Tooltip>
      {!isRunning && (
        <Text size="sm" title={at === null ? undefined : instantText(at)} data-testid="last-run">
          {last === null ? say('reconciliations.notRunYet') : runSentence(last, now)}
        </Text>
      )}
    </Group>
  );
}

/** Switches between automatic runs and runs on request. The notification offers to undo it. */
function RunsByItself({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { id, run_type: runType } = reconciliation;
  const readOnly = useReadOnlyReason();
  const update = useCommand('reconciliations.update', (failure) => notifyFailure(say('reconciliations.thisCouldNotBeChanged'), failure));
  return (
    <Tooltip label={readOnly ?? RUN_TYPE_HINTS[runType]}>
      <Switch
        label={say('reconciliations.runsByItself')}
        checked={runType === 'continuous'}
        disabled={update.isRunning || readOnly !== null}
        onChange={(event) => void update.run({ id, run_type: event.currentTarget.checked ? 'continuous' : 'batch' })}
        data-testid="runs-by-itself"
      />
    </Tooltip>
  );
}

interface NoSharedCurrencyProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
}

/** Says that the sides share no currency, so nothing can match, and links to where a wrong currency is corrected. */
function NoSharedCurrency({ reconciliation, summary }: NoSharedCurrencyProps) {
  const apart = summary === undefined ? null : currenciesApart(summary);
  if (apart === null) return null;
  const streams = [...reconciliation.side_a_streams, ...reconciliation.side_b_streams];
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={say('reconciliations.theTwoSidesShare')}
      style={{ flexShrink: 0 }}
      data-testid="no-shared-currency"
    >
      <Text size="sm" mb={4}>
        {say('reconciliations.ifAFileWasRead', { currenciesApart: currenciesApartSentence(apart) })}
      </Text>
      <Group gap="md">
        {streams.map(({ key, name }) => (
          <PlaceLink key={key} place={{ screen: 'stream', key }}>
            {name}
          </PlaceLink>
        ))}
      </Group>
    </Alert>
  );
}
