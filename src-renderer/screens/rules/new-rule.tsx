import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconEye, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import type { Failure, Output, Rule, RulePreview } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { capital, fieldText } from '../../format/rule-words.ts';
import { type Faults, faultsAfter, FIRST_DRAFT, NO_FAULTS, placeFaults, type RuleDraft, ruleOf } from '../../state/rule-draft.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { BacktestFigures } from './backtest-figures.tsx';
import { Running } from './backtest-panel.tsx';
import { PreviewFigures, PreviewTaken } from './rule-preview-panel.tsx';
import styles from './rules.module.css';
import { type Backtest, useBacktest } from './use-backtest.ts';
import type { Fields } from './condition-row.tsx';
import { RuleFields } from './rule-fields.tsx';

const PLAIN_FIELDS = [
  'reference',
  'signed_amount',
  'amount',
  'date',
  'value_date',
  'description',
  'external_id',
  'currency',
  'direction',
  'data_stream_key',
];
const LOOKED_AT = 500;

interface NewRuleProps {
  readonly reconciliationId: number;
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
  readonly onClose: () => void;
}

/** A rule of conditions that must all hold, of which some may be choices; it runs behind those that are there. */
export function NewRule({ reconciliationId, rules, decimalPlaces, onClose }: NewRuleProps) {
  const { draft, change, faults, forget, refused } = useDraft();
  /** Speaks of the draft that it was asked for, and of no other. */
  const [preview, setPreview] = useState<{ readonly of: RuleDraft; readonly value: RulePreview } | null>(null);
  const [tested, setTested] = useState<RuleDraft | null>(null);
  const backtest = useBacktest(reconciliationId);
  const { fields, empty } = useFields(reconciliationId);
  const create = useCommand('rules.create', (failure) => refused('The rule was not added', failure));
  const look = useCommand('rules.preview', (failure) => refused('There is no preview', failure));
  const body = ruleOf(draft, decimalPlaces);
  async function submit(): Promise<void> {
    if (body === null || create.isRunning) return;
    forget();
    const answer = await create.run({ reconciliation_id: reconciliationId, ...body });
    if (!answer.ok) return;
    notifyDone('Rule added: the next run uses it');
    onClose();
  }
  async function tryOut(): Promise<void> {
    if (body === null) return;
    forget();
    const answer = await look.run({ reconciliation_id: reconciliationId, ...body, sample: 1 });
    if (answer.ok) setPreview({ of: draft, value: answer.value });
  }
  function test(): void {
    if (body === null) return;
    setTested(draft);
    backtest.start((client) => client.call('rules.backtest_unsaved', { reconciliation_id: reconciliationId, ...body, examples: 0 }));
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="62rem"
      title="Add a rule"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="new-rule-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          <Lead empty={empty} />
          <RuleFields draft={draft} fields={fields} faults={faults} onChange={change} />
          {preview?.of === draft && (
            <Stack gap="xs" data-testid="new-rule-preview">
              <PreviewFigures preview={preview.value} />
              <PreviewTaken preview={preview.value} rules={rules} decimalPlaces={decimalPlaces} />
            </Stack>
          )}
          {tested === draft && <Tested backtest={backtest} />}
          <Buttons
            isComplete={body !== null}
            isAdding={create.isRunning}
            isLooking={look.isRunning}
            isTesting={backtest.state.kind === 'running'}
            onCancel={onClose}
            onTry={() => void tryOut()}
            onTest={test}
          />
        </Stack>
      </form>
    </Modal>
  );
}

/** The draft, and what the service said of its parts, which stands beside them until they are changed. */
function useDraft() {
  const [draft, setDraft] = useState<RuleDraft>(FIRST_DRAFT);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  return {
    draft,
    faults,
    change: (next: RuleDraft): void => {
      setFaults(faultsAfter(faults, draft, next));
      setDraft(next);
    },
    forget: () => setFaults(NO_FAULTS),
    refused: (title: string, failure: Failure): void => {
      if (failure.errors === undefined || failure.errors.length === 0) notifyFailure(title, failure);
      else setFaults(placeFaults(draft, failure.errors));
    },
  };
}

function Lead({ empty }: { readonly empty: readonly ('A' | 'B')[] }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        Two lines belong together when all of these hold. Without a tolerance, values must be equal.
      </Text>
      {empty.length > 0 && (
        <Text size="sm" c="dimmed">
          {`${empty.length === 2 ? 'No side has' : `Side ${empty[0] ?? ''} does not have`} lines yet: fields from the files are offered once there are some.`}
        </Text>
      )}
    </>
  );
}

/** What came of the back-test of the draft. */
function Tested({ backtest: { state, stop } }: { readonly backtest: Backtest }) {
  if (state.kind === 'running') return <Running onStop={stop} />;
  if (state.kind === 'failed') return <FailurePanel title="There is no back-test" failure={state.failure} />;
  return state.kind === 'done' ? <BacktestFigures found={state.value} /> : null;
}

interface ButtonsProps {
  readonly isComplete: boolean;
  readonly isAdding: boolean;
  readonly isLooking: boolean;
  readonly isTesting: boolean;
  readonly onCancel: () => void;
  readonly onTry: () => void;
  readonly onTest: () => void;
}

function Buttons({ isComplete, isAdding, isLooking, isTesting, onCancel, onTry, onTest }: ButtonsProps) {
  return (
    <Group justify="flex-end" className={styles.foot}>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        variant="default"
        leftSection={<IconEye size={15} aria-hidden />}
        disabled={!isComplete}
        loading={isLooking}
        onClick={onTry}
        data-testid="new-rule-try"
      >
        Preview
      </Button>
      <Button
        variant="default"
        leftSection={<IconHistory size={15} aria-hidden />}
        disabled={!isComplete}
        loading={isTesting}
        onClick={onTest}
        data-testid="new-rule-backtest"
      >
        Back-test
      </Button>
      <WriteButton type="submit" disabled={!isComplete} loading={isAdding} data-testid="new-rule-create">
        Add
      </WriteButton>
    </Group>
  );
}

/** The fields that the first lines of each side have, and the sides that have none. */
function useFields(reconciliationId: number): { readonly fields: Fields; readonly empty: readonly ('A' | 'B')[] } {
  const first = { reconciliation_id: reconciliationId, status: 'all', limit: LOOKED_AT } as const;
  const a = useQuery('lines.window', { ...first, side: 'a' });
  const b = useQuery('lines.window', { ...first, side: 'b' });
  const empty = (['A', 'B'] as const).filter((side) => (side === 'A' ? a : b).value?.total_count === 0);
  return { fields: { a: fieldsOf(a.value), b: fieldsOf(b.value) }, empty };
}

function fieldsOf(lines: Output<'lines.window'> | undefined): Fields['a'] {
  const names = new Set((lines?.data ?? []).flatMap((line) => Object.keys(line.metadata)));
  const own = [...names].toSorted().map((name) => `metadata.${name}`);
  const items = (values: readonly string[]) => values.map((value) => ({ value, label: capital(fieldText(value)) }));
  return [
    { group: 'Every line', items: items(PLAIN_FIELDS) },
    { group: 'From the files', items: items(own) },
  ].filter((group) => group.items.length > 0);
}
