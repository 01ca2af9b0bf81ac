import { Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { FigureTable } from '../../components/figure-table.tsx';
import { IconChevronDown, IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Learned, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted, countText } from '../../format/counts.ts';
import { agoText } from '../../format/dates.ts';
import { RecordLines } from '../matches/group-detail.tsx';
import { useFocusNext } from '../matches/use-focus-next.ts';
import { EvidenceReviews } from './evidence-reviews.tsx';
import styles from './rules.module.css';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const HEIGHT = 96;
const BAR = 34;
const GAP = 6;
const LABEL = 30;

function daysText({ from_day: from, to_day: to }: Learned['lags'][number]): string {
  return from === to ? String(from).replace('-', '−') : `${from}…${to}`.replaceAll('-', '−');
}

/** Returns the label of a bin in lines, because a range is wider than its bar. */
function dayLines(bin: Learned['lags'][number]): string[] {
  const minus = (days: number): string => String(days).replace('-', '−');
  return bin.from_day === bin.to_day ? [minus(bin.from_day)] : [minus(bin.from_day), `to ${minus(bin.to_day)}`];
}

/** The distribution of days between the lines of a pair: bars for true pairs, lines for unrelated pairs of the same amount. */
function LagChart({ bins }: { readonly bins: Learned['lags'] }) {
  const most = Math.max(0.01, ...bins.map(({ m, u }) => Math.max(m, u)));
  const top = (share: number): number => HEIGHT - (share / most) * (HEIGHT - 14);
  const words = bins.map((bin) => `${daysText(bin)} days: ${percent(bin.m)} of true pairs`).join(', ');
  const width = bins.length * (BAR + GAP);
  return (
    <figure className={styles.chart} aria-label={words}>
      <svg viewBox={`0 0 ${width} ${HEIGHT + LABEL}`} style={{ width, maxWidth: '100%' }} aria-hidden>
        {bins.map((bin, index) => {
          const left = index * (BAR + GAP);
          return (
            <g key={bin.from_day}>
              <rect className={styles.bar} x={left} y={top(bin.m)} width={BAR} height={HEIGHT - top(bin.m)} rx={2} />
              <line className={styles.strangers} x1={left} x2={left + BAR} y1={top(bin.u)} y2={top(bin.u)} />
              {bin.m >= 0.005 && (
                <text className={styles.share} x={left + BAR / 2} y={top(bin.m) - 3}>
                  {percent(bin.m)}
                </text>
              )}
              {dayLines(bin).map((text, line) => (
                <text key={text} className={styles.day} x={left + BAR / 2} y={HEIGHT + 13 + line * 12}>
                  {text}
                </text>
              ))}
            </g>
          );
        })}
      </svg>
      <figcaption className="quiet small">Bars: pairs that belong together. Lines: strangers of the same amount.</figcaption>
    </figure>
  );
}

type Alias = Learned['aliases'][number];

/** The number of pairs that are listed for each alias. */
const PAIRS_SHOWN = 10;

const keyOf = ({ a, b }: Alias): string => JSON.stringify([a, b]);

/** Names that people linked, with the lines behind each, and a button that says they are two. */
function Aliases({ id, aliases }: { readonly id: number; readonly aliases: readonly Alias[] }) {
  const list = useRef<HTMLUListElement>(null);
  const leave = useFocusNext(list, aliases.map(keyOf));
  return (
    <section aria-label="Names that you tied">
      <Text fw={580} size="sm">
        Names that you tied
      </Text>
      {aliases.length === 0 && (
        <Text size="xs" c="dimmed">
          None yet. Two names count as the same once you have tied them, by hand or by confirming, on three different days.
        </Text>
      )}
      <ul className="plain divided" ref={list}>
        {aliases.map((alias) => (
          <Entry key={keyOf(alias)} id={id} alias={alias} onLeave={() => leave(keyOf(alias))} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ id, alias, onLeave }: { readonly id: number; readonly alias: Alias; readonly onLeave: () => void }) {
  const { a, b, matches } = alias;
  const [isOpen, setOpen] = useState(false);
  const remove = useCommand('evidence.remove_alias', (failure) => notifyFailure('The names still count as the same', failure));
  async function part(): Promise<void> {
    if (remove.isRunning) return;
    onLeave();
    await remove.run({ id, a, b });
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li data-testid="alias">
      <Group gap="2px 12px" justify="space-between" wrap="nowrap">
        <UnstyledButton className={styles.aliasNames} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} data-testid="alias-from">
          <Chevron size={14} style={{ flex: 'none' }} aria-hidden />
          <Text size="sm" component="span">
            {a} = {b}{' '}
            <Text size="xs" c="dimmed" component="span">
              from {counted(matches.length, 'match', 'matches')}
            </Text>
          </Text>
        </UnstyledButton>
        <WriteButton
          variant="default"
          size="compact-xs"
          style={{ flexShrink: 0 }}
          loading={remove.isRunning}
          onClick={() => void part()}
          aria-label={`${a} and ${b} are not the same`}
          data-testid="not-the-same"
        >
          Not the same
        </WriteButton>
      </Group>
      {isOpen && <Pairs alias={alias} />}
    </li>
  );
}

function Pairs({ alias: { matches } }: { readonly alias: Alias }) {
  const shown = matches.slice(0, PAIRS_SHOWN);
  return (
    <div data-testid="alias-pairs">
      {shown.map(({ a_record_id: a, b_record_id: b }) => (
        <div key={`${a} ${b}`} className={styles.lines}>
          <Line id={a} />
          <Line id={b} />
        </div>
      ))}
      {matches.length > shown.length && (
        <Text size="xs" c="dimmed">
          The first {shown.length} of {counted(matches.length, 'match', 'matches')} are listed.
        </Text>
      )}
    </div>
  );
}

function Line({ id }: { readonly id: number }) {
  const { data: value, error: failure } = useOperation('records.get', { id });
  if (value !== undefined) {
    return (
      <div>
        <RecordLines records={[value]} adjustmentId={null} />
      </div>
    );
  }
  return (
    <Text size="xs" c="dimmed">
      {failure === null ? '…' : 'A line that is no longer in the book.'}
    </Text>
  );
}

/** Matches to review, and what evidence learned from the lines: in words first, then as figures. */
export function EvidenceTab({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  return (
    <div className={styles.tab}>
      <EvidenceReviews reconciliation={reconciliation} />
      <LearnedPanel id={reconciliation.id} />
    </div>
  );
}

function LearnedPanel({ id }: { readonly id: number }) {
  const { data: value, error: failure, refetch } = useOperation('evidence.get', { id });
  if (failure !== null && value === undefined) {
    return <FailurePanel title="What was learned could not be read" failure={failure} onRetry={refetch} />;
  }
  if (value === undefined) return <Skeleton height={200} radius="lg" />;
  if (value.learned === null) {
    return (
      <Stack className="card" p="xl" align="center" data-testid="nothing-learned">
        <Text size="sm" c="dimmed" ta="center">
          Nothing is learned yet. The next run with a rule of evidence learns from the lines of both sides how payments look here.
        </Text>
      </Stack>
    );
  }
  const { learned } = value;
  return (
    <div className={`card ${styles.learned}`} data-testid="learned">
      <Words id={id} learned={learned} />
      <section aria-label="Days between the sides">
        <Text fw={580} size="sm">
          Days from side A to side B
        </Text>
        <LagChart bins={learned.lags} />
      </section>
      <div className={styles.tables}>
        <Levels title="Amounts" levels={learned.amount} />
        <Levels title="Names and words" levels={learned.text} />
        <Levels title="References" levels={learned.references} />
      </div>
      <Aliases id={id} aliases={learned.aliases} />
      <div className={styles.tables}>
        <WordList title="Rarest words on both sides" words={learned.rare_words} />
        <WordList title="Commonest words" words={learned.common_words} />
      </div>
    </div>
  );
}

function Words({ id, learned }: { readonly id: number; readonly learned: Learned }) {
  const now = useNow();
  const relearn = useCommand('evidence.relearn', (failure) => notifyFailure('Nothing was forgotten', failure));
  async function forget(): Promise<void> {
    const answer = await relearn.run({ id });
    if (answer.ok) notifyDone('The next run learns anew');
  }
  return (
    <section aria-label="What was learned">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div data-testid="learned-words">
          {learned.words.map((words) => (
            <Text key={words} size="sm">
              {words}
            </Text>
          ))}
          <Text size="xs" c="dimmed" mt={4} component="div">
            Version {learned.version}, learned <Instant at={learned.learned_at} text={agoText(learned.learned_at, now)} />. It is used until
            the lines or your decisions change much.
          </Text>
        </div>
        <WriteButton
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={relearn.isRunning}
          onClick={() => void forget()}
          data-testid="relearn"
        >
          Learn anew
        </WriteButton>
      </Group>
    </section>
  );
}

const shareText = (share: number | null): string => {
  if (share === null) return 'by value';
  if (share > 0.999 && share < 1) return '> 99.9 %';
  return share < 0.0005 && share > 0 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`;
};
const bitsText = (bits: number | null): string => (bits === null ? 'by value' : `${bits > 0 ? '+' : '−'}${Math.abs(bits).toFixed(1)}`);

function Levels({ title, levels }: { readonly title: string; readonly levels: Learned['amount'] }) {
  if (levels.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={580} size="sm">
        {title}
      </Text>
      <FigureTable
        columns={[
          { head: 'How a pair looks' },
          { head: 'True pairs', isFigure: true },
          { head: 'Strangers', isFigure: true },
          { head: 'Weight', title: 'In bits: each one doubles the odds that two lines belong together', isFigure: true },
        ]}
        isWrapping
        isFitted
      >
        <tbody>
          {levels.map(({ name, m, u, bits }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="amount">{shareText(m)}</td>
              <td className="amount">{shareText(u)}</td>
              <td className="amount">{bitsText(bits)}</td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </section>
  );
}

function WordList({ title, words }: { readonly title: string; readonly words: Learned['rare_words'] }) {
  if (words.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={580} size="sm">
        {title}
      </Text>
      <Text size="xs" c="dimmed" className="wrap">
        {words.map(({ word, count }) => `${word} ${countText(count)}`).join(' · ')}
      </Text>
    </section>
  );
}
