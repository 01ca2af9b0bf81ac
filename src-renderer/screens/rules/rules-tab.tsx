import { Group, Skeleton, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Reconciliation, Rule } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import type { RunControl } from '../runs/use-run.ts';
import { BacktestPanel } from './backtest-panel.tsx';
import { NewDefault } from './new-default.tsx';
import { NewRule } from './new-rule.tsx';
import { RuleCard, type RulePanel } from './rule-card.tsx';
import { ProposeButton } from './propose-rules.tsx';
import { RulePreviewPanel } from './rule-preview-panel.tsx';
import { RuleSearch } from './rule-search.tsx';
import styles from './rules.module.css';

interface RulesTabProps {
  readonly reconciliation: Reconciliation;
  /** Of the reconciliation's amounts, for tolerances. */
  readonly decimalPlaces: number;
  readonly run: RunControl;
}

/** The rules in the order they run, beside what one of them would match now, or would have matched. */
export function RulesTab({ reconciliation, decimalPlaces, run }: RulesTabProps) {
  const { id } = reconciliation;
  const rules = useQuery('rules.list', { reconciliation_id: id });
  const [opened, setOpened] = useState<{ readonly id: number; readonly panel: RulePanel } | null>(null);
  const [isAdding, setAdding] = useState(false);
  const reorder = useCommand('rules.reorder', (failure) => notifyFailure('The order was not changed', failure));
  if (rules.value === undefined) {
    return rules.failure === undefined ? (
      <Skeleton height={160} radius="lg" />
    ) : (
      <FailurePanel title="The rules could not be read" failure={rules.failure} onRetry={rules.refetch} />
    );
  }
  const list = rules.value;
  const shown = list.find((rule) => rule.id === opened?.id);
  function move(rule: Rule, by: -1 | 1): void {
    const ids = list.map((each) => each.id);
    const place = ids.indexOf(rule.id);
    ids.splice(place, 1);
    ids.splice(place + by, 0, rule.id);
    void reorder.run({ id, rule_ids: ids });
  }
  return (
    <div className={styles.rules}>
      <section className={styles.list} aria-label="Rules in the order they run">
        <Head count={list.length} run={run} onAdd={() => setAdding(true)} />
        <NewDefault reconciliation={reconciliation} rules={list} />
        <RuleSearch reconciliationId={id} />
        {list.length === 0 && <NoRules run={run} />}
        {list.map((rule, place) => (
          <RuleCard
            key={rule.id}
            rule={rule}
            place={place + 1}
            isLast={place === list.length - 1}
            opened={rule.id === opened?.id ? opened.panel : null}
            isMoving={reorder.isRunning}
            decimalPlaces={decimalPlaces}
            onMove={(by) => move(rule, by)}
            onOpen={(panel) => setOpened(rule.id === opened?.id && panel === opened.panel ? null : { id: rule.id, panel })}
          />
        ))}
      </section>
      {shown !== undefined && opened !== null && (
        <Opened
          panel={opened.panel}
          rule={shown}
          rules={list}
          reconciliation={reconciliation}
          decimalPlaces={decimalPlaces}
          onClose={() => setOpened(null)}
        />
      )}
      {isAdding && <NewRule reconciliationId={id} rules={list} decimalPlaces={decimalPlaces} onClose={() => setAdding(false)} />}
    </div>
  );
}

interface OpenedProps {
  readonly panel: RulePanel;
  readonly rule: Rule;
  readonly rules: readonly Rule[];
  readonly reconciliation: Reconciliation;
  readonly decimalPlaces: number;
  readonly onClose: () => void;
}

/** What is shown of one rule; anew when the rule is another. When a run has ended, the preview is anew; a back-test asks again by itself. */
function Opened({ panel, rules, ...shared }: OpenedProps) {
  const { rule, reconciliation } = shared;
  const key = `${rule.id} ${JSON.stringify([rule.filters, rule.priority, rule.status])}`;
  return panel === 'preview' ? (
    <RulePreviewPanel key={`${key} ${reconciliation.last_run?.id ?? ''}`} rules={rules} {...shared} />
  ) : (
    <BacktestPanel key={key} {...shared} />
  );
}

interface HeadProps {
  readonly count: number;
  readonly run: RunControl;
  readonly onAdd: () => void;
}

/** What stands above the rules: how they run, and how more of them come. */
function Head({ count, run, onAdd }: HeadProps) {
  return (
    <div className={styles.head}>
      <Text size="xs" c="dimmed">
        {count === 0 ? '' : 'Rules run from top to bottom; each sees only the lines that those above it left.'}
      </Text>
      <Group gap={6} wrap="nowrap">
        {count > 0 && <ProposeButton run={run} />}
        <WriteButton
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={onAdd}
          data-testid="add-rule"
        >
          Add a rule
        </WriteButton>
      </Group>
    </div>
  );
}

function NoRules({ run }: { readonly run: RunControl }) {
  return (
    <div className={`card ${styles.empty}`} data-testid="no-rules">
      <Text fw={580}>No rules yet</Text>
      <Text size="sm" c="dimmed" maw={420} ta="center">
        A rule says when two lines belong together, such as the same reference and the same amount. Tieout can look in the lines of both
        sides, on this machine, for what ties them, and propose rules. You decide which are used.
      </Text>
      <ProposeButton run={run} isMain />
    </div>
  );
}
