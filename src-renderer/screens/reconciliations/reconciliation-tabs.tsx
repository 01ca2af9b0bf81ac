import { Anchor, Badge, Tabs } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { countText, openText } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import { placeText } from '../../state/places.ts';
import { EvidenceTab } from '../rules/evidence-tab.tsx';
import { Groups } from '../matches/groups.tsx';
import { OpenLines } from '../matches/open-lines.tsx';
import { RulesTab } from '../rules/rules-tab.tsx';
import { Runs } from '../runs/runs.tsx';
import type { RunControl } from '../runs/use-run.ts';
import styles from './reconciliation.module.css';

export type TabName = 'open' | 'proposed' | 'matched' | 'rules' | 'runs' | 'evidence';

/** Their cards do not reach the edges. */
const PADDED: ReadonlySet<TabName> = new Set(['rules', 'runs', 'evidence']);

interface ReconciliationTabsProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
  readonly run: RunControl;
  readonly firstTab: TabName;
}

/** Open, proposed, matched, rules, the history of runs, and what the runs learned; the close is a screen of its own. A tab that was visited stays as it was left. */
export function ReconciliationTabs({ reconciliation, summary, run, firstTab }: ReconciliationTabsProps) {
  const go = useNavigation((state) => state.go);
  const [tab, setTab] = useState(firstTab);
  const [visited, setVisited] = useState<ReadonlySet<TabName>>(new Set([firstTab]));
  const closePlace = { screen: 'close', key: reconciliation.id, periodId: null } as const;
  function show(name: TabName): void {
    setVisited(new Set([...visited, name]));
    setTab(name);
  }
  useShortcuts({
    '1': () => show('open'),
    '2': () => show('proposed'),
    '3': () => show('matched'),
    '4': () => show('rules'),
    '5': () => show('runs'),
    '6': () => show('evidence'),
    '7': () => go(closePlace),
    '/': () => document.querySelector<HTMLInputElement>('[data-testid="search-a"]')?.focus(),
  });
  const { value: rules } = useQuery('rules.list', { reconciliation_id: reconciliation.id });
  const { value: reviews } = useQuery('evidence.reviews', { id: reconciliation.id, limit: 1 });
  const toReview = reviews?.total_count ?? 0;
  const hasProposed = rules?.some((rule) => rule.status === 'proposed') ?? false;
  const isMixed = summary !== undefined && Math.max(summary.side_a.totals.length, summary.side_b.totals.length) > 1;
  const open = summary === undefined ? null : summary.side_a.open + summary.side_b.open;
  const proposed = summary === undefined ? 0 : summary.side_a.proposed + summary.side_b.proposed;
  const decimalPlaces = summary?.side_a.totals[0]?.decimal_places ?? 2;
  const panel = (name: TabName, content: ReactNode): ReactNode => (
    <Tabs.Panel value={name} className={styles.tabPanel} data-padded={PADDED.has(name) || undefined} keepMounted>
      {visited.has(name) ? content : null}
    </Tabs.Panel>
  );
  return (
    <Tabs value={tab} onChange={(name) => show((name ?? 'open') as TabName)} className={styles.tabs} keepMountedMode="display-none">
      <div className={styles.tabRow}>
        <Tabs.List>
          <Tab name="open" label="Open lines" count={open} color="orange" hint={open === null ? undefined : openText(open, proposed)} />
          <Tab name="proposed" label="Proposed" count={summary?.proposed_matches ?? null} color="violet" />
          <Tab name="matched" label="Matched" count={summary?.matches ?? null} color="pine" />
          <Tab name="rules" label="Rules" count={rules?.length ?? null} color={hasProposed ? 'violet' : 'gray'} />
          <Tab name="runs" label="Runs" count={null} color="gray" />
          <Tab name="evidence" label="Evidence" count={toReview === 0 ? null : toReview} color="orange" />
        </Tabs.List>
        <Anchor
          href={`#${placeText(closePlace)}`}
          onClick={(event) => {
            event.preventDefault();
            go(closePlace);
          }}
          className={styles.closeLink}
          aria-keyshortcuts="7"
          data-testid="tab-close"
        >
          Close the month
          <IconChevronRight size={14} aria-hidden />
        </Anchor>
      </div>
      {panel('open', <OpenLines reconciliation={reconciliation} summary={summary} isShown={tab === 'open'} />)}
      {panel('proposed', <Groups reconciliation={reconciliation} status="proposed" isMixed={isMixed} isShown={tab === 'proposed'} />)}
      {panel('matched', <Groups reconciliation={reconciliation} status="matched" isMixed={isMixed} isShown={tab === 'matched'} />)}
      {panel('rules', <RulesTab reconciliation={reconciliation} decimalPlaces={decimalPlaces} run={run} />)}
      {panel('evidence', <EvidenceTab reconciliation={reconciliation} />)}
      {panel('runs', <Runs id={reconciliation.id} decimalPlaces={decimalPlaces} />)}
    </Tabs>
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
  /** What the count is made of. */
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
