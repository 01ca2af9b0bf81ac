import { Box, Button, Flex, Group, Pagination, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ComparedMatch, Rule, Run, SidedRecord } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Day } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { Note, PaneHeader, TextButton } from '../../components/primitives.tsx';
import { countText } from '../../format/counts.ts';
import { instantText } from '../../format/dates.ts';
import { moneyText, sumsOf, withMinus } from '../../format/money.ts';
import { ruleText } from '../../format/rule-words.ts';
import { runOriginText } from '../../format/words.ts';
import { openLine } from '../../state/line-in-full.ts';
import styles from './runs.module.css';

type Part = 'only_run' | 'both' | 'only_with';

/** Matches on a page. */
const PAGE = 50;

interface RunComparisonProps {
  /** The earlier run. */
  readonly run: Run;
  /** The later run. */
  readonly other: Run;
  /** The present rules. A rule that has been deleted is named by its number. */
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
  readonly onClose: () => void;
}

/** Two runs side by side: the matches of each rule, and line by line what one matched that the other did not. */
export function RunComparison({ run, other, rules, decimalPlaces, onClose }: RunComparisonProps) {
  const [asked, setAsked] = useState<{ readonly part: Part | null; readonly ruleId: number | null; readonly page: number }>({
    part: null,
    ruleId: null,
    page: 1,
  });
  const base = { id: run.reconciliation_id, run_id: run.id, with_run_id: other.id };
  const whole = useOperation('runs.compare', { ...base, limit: 1 });
  if (whole.isLoadingError) {
    return <FailurePanel title={say('runs.compared.theyCouldNotBeCompared')} failure={whole.error} onRetry={whole.refetch} />;
  }
  if (whole.data === undefined) return <Skeleton height={240} radius="lg" data-testid="run-comparison-loading" />;
  const counts = { only_run: whole.data.only_run, both: whole.data.both, only_with: whole.data.only_with };
  const part = asked.part ?? (['only_with', 'only_run', 'both'] as const).find((each) => counts[each] > 0) ?? 'both';
  const names = { rules, decimalPlaces };
  const unlisted = whole.data.not_compared_run + whole.data.not_compared_with;
  return (
    <section className="card column full" aria-labelledby="comparison-heading" data-testid="run-comparison">
      <PaneHeader id="comparison-heading" title={say('runs.compared.twoRunsCompared')}>
        <Button variant="default" size="xs" onClick={onClose} data-autofocus data-testid="comparison-close">
          {say('runs.compared.backToAllRuns')}
        </Button>
      </PaneHeader>
      <Shares {...counts} run={run} other={other} />
      {unlisted > 0 && <Note className={styles.note}>{say('runs.compared.notCompared', { matches: unlisted })}</Note>}
      <div className={styles.sides}>
        <RulesOfBoth
          run={run}
          other={other}
          names={names}
          chosen={asked.ruleId}
          onChoose={(ruleId) => setAsked({ ...asked, ruleId, page: 1 })}
        />
        <Stack mih={0} gap={0}>
          <Group gap="sm" px="sm" py="xs">
            <SegmentedControl
              size="xs"
              aria-label={say('runs.compared.whichMatches')}
              value={part}
              onChange={(value) => setAsked({ ...asked, part: value as Part, page: 1 })}
              data={(['only_run', 'only_with', 'both'] as const).map((value) => ({
                value,
                label: say(PART_WORDS[value], { count: countText(counts[value]) }),
              }))}
              data-testid="comparison-part"
            />
            {asked.ruleId !== null && (
              <TextButton onClick={() => setAsked({ ...asked, ruleId: null, page: 1 })} data-testid="comparison-all-rules">
                {say('runs.compared.showAllRules')}
              </TextButton>
            )}
          </Group>
          <Lines
            key={`${part} ${asked.ruleId}`}
            base={base}
            part={part}
            ruleId={asked.ruleId}
            names={names}
            page={asked.page}
            onPage={(page) => setAsked({ ...asked, page })}
          />
        </Stack>
      </div>
    </section>
  );
}

const PART_WORDS = {
  only_run: 'runs.compared.onlyTheEarlier',
  only_with: 'runs.compared.onlyTheLater',
  both: 'runs.compared.both',
} as const;

interface SharesProps extends Readonly<Record<Part, number>> {
  readonly run: Run;
  readonly other: Run;
}

/** How much of what the two matched is the same, as a bar between their names. */
function Shares({ run, other, only_run: earlier, only_with: later, both }: SharesProps) {
  const shares = [
    { part: 'only_run', count: earlier },
    { part: 'both', count: both },
    { part: 'only_with', count: later },
  ] as const;
  return (
    <Flex className="line-below" gap="sm" align="center" py="xs" px="var(--edge)">
      <RunName run={run} />
      <div className={styles.bar} aria-hidden>
        {shares
          .filter(({ count }) => count > 0)
          .map(({ part, count }) => (
            <span key={part} data-part={part} style={{ flexGrow: count }}>
              {countText(count)}
            </span>
          ))}
      </div>
      <RunName run={other} />
    </Flex>
  );
}

function RunName({ run }: { readonly run: Run }) {
  return (
    <Box flex="none">
      <b className="tabular">{nameOf(run)}</b>
      <Text size="xs" c="dimmed">
        {runOriginText(run)}
        {run.undone_at !== null && ` · ${say('runs.takenBack')}`}
        {run.mode === 'dry_run' && ` ${say('runs.nothingStored')}`}
      </Text>
    </Box>
  );
}

const nameOf = ({ id, started_at: at }: Run): string =>
  say('runs.compared.runAt', { id: String(id), at: at === null ? '' : instantText(at) });

interface Names {
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
}

function nameOfRule(id: number | null, { rules, decimalPlaces }: Names): string {
  const rule = rules.find((each) => each.id === id);
  return rule === undefined ? say('runs.ruleWhichIsGone', { id: String(id ?? '') }) : (rule.description ?? ruleText(rule, decimalPlaces));
}

/** Returns the place of a rule in its list, as the list of rules numbers it. */
function shortRule(id: number | null, { rules }: Names): string {
  const place = rules.findIndex((rule) => rule.id === id);
  return place < 0 ? '–' : countText(place + 1);
}

interface RulesOfBothProps {
  readonly run: Run;
  readonly other: Run;
  readonly names: Names;
  readonly chosen: number | null;
  readonly onChoose: (ruleId: number | null) => void;
}

const changeText = (change: number): string => (change > 0 ? `+${countText(change)}` : withMinus(countText(change)));

/** What each rule matched in both runs. A rule's button shows only its matches beside. */
function RulesOfBoth({ run, other, names, chosen, onChoose }: RulesOfBothProps) {
  const ids = [...new Set([...Object.keys(run.rule_summary), ...Object.keys(other.rule_summary)])].map(Number);
  const placeOf = (id: number): number => {
    const place = names.rules.findIndex((rule) => rule.id === id);
    return place < 0 ? names.rules.length : place;
  };
  const matchesOf = ({ rule_summary: summary }: Run, id: number): number => summary[String(id)]?.matches ?? 0;
  const totals = [
    { name: say('runs.compared.allMatches'), of: (each: Run) => each.matches },
    { name: say('runs.proposals'), of: (each: Run) => each.proposed_matches },
    { name: say('runs.openLinesRead'), of: (each: Run) => each.total_records },
    { name: say('runs.compared.linesLeftOpen'), of: (each: Run) => each.total_records - each.matched_records },
  ];
  const figures = (before: number, after: number) => (
    <>
      <td className="amount">{countText(before)}</td>
      <td className="amount">{countText(after)}</td>
      <td className="amount" data-change={Math.sign(after - before)}>
        {changeText(after - before)}
      </td>
    </>
  );
  return (
    <TableFrame least={320} className={styles.rules} tabIndex={0} aria-label={say('runs.compared.matchesByRule')}>
      <FigureTable
        isWrapping
        isFitted
        data-testid="comparison-rules"
        columns={[
          { head: say('runs.compared.matchesByRule') },
          { head: say('runs.compared.earlier'), isFigure: true, title: nameOf(run) },
          { head: say('runs.compared.later'), isFigure: true, title: nameOf(other) },
          { head: say('runs.compared.change'), isFigure: true },
        ]}
      >
        <tbody>
          {ids
            .toSorted((one, two) => placeOf(one) - placeOf(two))
            .map((id) => (
              <tr key={id} data-chosen={id === chosen || undefined}>
                <td>
                  <TextButton aria-pressed={id === chosen} onClick={() => onChoose(id === chosen ? null : id)}>
                    {shortRule(id, names)} {nameOfRule(id, names)}
                  </TextButton>
                </td>
                {figures(matchesOf(run, id), matchesOf(other, id))}
              </tr>
            ))}
          {totals.map(({ name, of }) => (
            <tr key={name} data-total>
              <td>{name}</td>
              {figures(of(run), of(other))}
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </TableFrame>
  );
}

interface LinesProps {
  readonly base: { readonly id: number; readonly run_id: number; readonly with_run_id: number };
  readonly part: Part;
  readonly ruleId: number | null;
  readonly names: Names;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** The matches of one part, line by line, with what the other run did. */
function Lines({ base, part, ruleId, names, page, onPage }: LinesProps) {
  const found = useOperation('runs.compare', {
    ...base,
    part,
    ...(ruleId === null ? {} : { rule_id: ruleId }),
    offset: (page - 1) * PAGE,
    limit: PAGE,
  });
  if (found.isLoadingError) {
    return <FailurePanel title={say('runs.compared.theyCouldNotBeCompared')} failure={found.error} onRetry={found.refetch} />;
  }
  if (found.data === undefined) return <Skeleton height={160} m="sm" />;
  if (found.data.total_count === 0) {
    return (
      <Text size="sm" c="dimmed" p="sm" data-testid="comparison-none">
        {say(NONE_WORDS[part])}
      </Text>
    );
  }
  const pages = Math.ceil(found.data.total_count / PAGE);
  return (
    <>
      <TableFrame least={620} className="fill" tabIndex={0} aria-label={say('runs.compared.matchesLineByLine')}>
        <FigureTable
          isSticky
          data-testid="comparison-lines"
          columns={[
            { head: say('runs.compared.sideA') },
            { head: say('runs.compared.sideB') },
            { head: say('runs.rule'), width: 64 },
            { head: say('runs.compared.inTheOtherRun'), width: '22%' },
            { head: say('runs.compared.amount'), isFigure: true, width: 110 },
          ]}
        >
          <tbody>
            {found.data.data.map((match, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- a match of a run that was undone has no name but its place
              <MatchRow key={place} match={match} names={names} />
            ))}
          </tbody>
        </FigureTable>
      </TableFrame>
      {pages > 1 && (
        <Group justify="center" py="xs">
          <Pagination size="sm" total={pages} value={page} onChange={onPage} />
        </Group>
      )}
    </>
  );
}

const NONE_WORDS = {
  only_run: 'runs.compared.noneOnlyTheEarlier',
  only_with: 'runs.compared.noneOnlyTheLater',
  both: 'runs.compared.noneBoth',
} as const;

function MatchRow({ match, names }: { readonly match: ComparedMatch; readonly names: Names }) {
  const of = (side: 'a' | 'b') => match.records.filter((record) => record.side === side);
  const [a, b] = [of('a'), of('b')];
  const isWhole = match.records.length === match.record_count;
  return (
    <tr>
      <Side records={a} />
      <Side records={b} />
      <td title={nameOfRule(match.rule_id, names)}>{shortRule(match.rule_id, names)}</td>
      <td title={fateText(match, names)}>{fateText(match, names)}</td>
      <td className="amount">
        {isWhole &&
          sumsOf(a.length > 0 ? a : b)
            .map(({ net, currency, decimal_places: places }) => moneyText(net, currency, places))
            .join(' ')}
      </td>
    </tr>
  );
}

/** Lines of one side: the first with its day and text, and how many more. */
function Side({ records }: { readonly records: readonly SidedRecord[] }) {
  const [first] = records;
  if (first === undefined) return <td className="dimmed">{say('runs.compared.deleted')}</td>;
  return (
    <td>
      <span className={styles.side}>
        <Day iso={first.date} />
        <TextButton onClick={() => openLine(first.id)} title={say('runs.compared.showTheLine')}>
          {first.description ?? first.external_id ?? say('runs.compared.lineNumber', { id: first.id })}
        </TextButton>
        {records.length > 1 && (
          <Text span size="xs" c="dimmed" style={{ flex: 'none' }}>
            {say('runs.compared.andMore', { more: records.length - 1 })}
          </Text>
        )}
      </span>
    </td>
  );
}

function fateText({ fate, other_rule_id: id, rule_id: own }: ComparedMatch, names: Names): string {
  if (fate === 'same')
    return id === own ? say('runs.compared.fates.same') : say('runs.compared.fates.sameByRule', { rule: nameOfRule(id, names) });
  if (fate === 'other_lines') return say('runs.compared.fates.otherLines', { rule: nameOfRule(id, names) });
  return say(FATE_WORDS[fate]);
}

const FATE_WORDS = {
  proposed: 'runs.compared.fates.proposed',
  held: 'runs.compared.fates.held',
  later: 'runs.compared.fates.later',
  open: 'runs.compared.fates.open',
} as const;
