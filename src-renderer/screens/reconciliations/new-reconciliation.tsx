import { Alert, Button, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Output, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useCommand, useConnection, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { SidePicker } from '../../components/side-picker.tsx';
import { listText } from '../../format/counts.ts';
import { holdsLines } from '../../components/holds-lines.ts';
import { WriteButton } from '../../components/writing.tsx';
import { RUN_TYPE_HINTS, RUN_TYPE_MEANINGS, SIGN_LABELS, SIGN_MEANINGS, signEvidenceSentence } from '../../format/words.ts';
import { useNavigation } from '../../state/navigation.ts';
import { say } from '../../../src-shared/words/say.ts';

type SetUp = Output<'reconciliations.set_up'>;

/** Creates a reconciliation and says how the sign convention was found. */
export function NewReconciliation({ onClose }: { readonly onClose: () => void }) {
  const [done, setDone] = useState<SetUp | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={done === null ? say('reconciliations.new.newReconciliation') : say('reconciliations.new.readyToRun')}
      closeButtonProps={{ 'aria-label': say('reconciliations.new.close') }}
      data-testid="new-reconciliation-dialog"
    >
      {done === null ? <Form onCancel={onClose} onDone={setDone} /> : <Settled setUp={done} />}
    </Modal>
  );
}

function Form({ onCancel, onDone }: { readonly onCancel: () => void; readonly onDone: (done: SetUp) => void }) {
  const streams = useOperation('streams.list', {});
  const setUp = useCommand('reconciliations.set_up', (failure) =>
    notifyFailure(say('reconciliations.new.theReconciliationWasNotCreated'), failure),
  );
  const [sides, setSides] = useState<{ readonly a: readonly string[]; readonly b: readonly string[] }>({ a: [], b: [] });
  const [runType, setRunType] = useState<Reconciliation['run_type']>('continuous');
  const [typedName, setTypedName] = useState<string | null>(null);
  const all = (streams.data ?? []).filter(holdsLines);
  const nameOf = (key: string): string => all.find((stream) => stream.key === key)?.name ?? key;
  const suggested = sides.a.length > 0 && sides.b.length > 0 ? `${listText(sides.a.map(nameOf))} / ${listText(sides.b.map(nameOf))}` : '';
  const name = (typedName ?? suggested.slice(0, 255)).trim();
  const isComplete = sides.a.length > 0 && sides.b.length > 0 && name !== '';
  async function submit(): Promise<void> {
    const answer = await setUp.run({ name, side_a_keys: [...sides.a], side_b_keys: [...sides.b], run_type: runType });
    if (answer.ok) onDone(answer.value);
  }
  if (streams.isLoadingError) {
    return <FailurePanel title={say('reconciliations.new.theAccountsCouldNotBeRead')} failure={streams.error} onRetry={streams.refetch} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void submit();
      }}
    >
      <Stack>
        <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
          <SidePicker
            side="a"
            hint={say('reconciliations.new.usuallyTheLedger')}
            streams={all}
            keys={sides.a}
            taken={sides.b}
            onChange={(a) => setSides({ ...sides, a })}
          />
          <SidePicker
            side="b"
            hint={say('reconciliations.new.usuallyTheBank')}
            streams={all}
            keys={sides.b}
            taken={sides.a}
            onChange={(b) => setSides({ ...sides, b })}
          />
        </Group>
        <TextInput
          label={say('reconciliations.new.name')}
          placeholder={say('reconciliations.new.ledgerBank')}
          value={typedName ?? suggested}
          maxLength={255}
          onChange={(event) => setTypedName(event.currentTarget.value)}
          data-testid="reconciliation-name"
        />
        <RunType runType={runType} onChange={setRunType} />
        <RulesToCome />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {say('reconciliations.new.cancel')}
          </Button>
          <WriteButton type="submit" disabled={!isComplete} loading={setUp.isRunning} data-testid="reconciliation-create">
            {say('reconciliations.new.create')}
          </WriteButton>
        </Group>
      </Stack>
    </form>
  );
}

function RulesToCome() {
  return (
    <Text size="sm" c="dimmed">
      {say('reconciliations.new.oneRuleComesWithIt')}
    </Text>
  );
}

interface RunTypeProps {
  readonly runType: Reconciliation['run_type'];
  readonly onChange: (runType: Reconciliation['run_type']) => void;
}

function RunType({ runType, onChange }: RunTypeProps) {
  return (
    <Switch
      label={say('reconciliations.new.runsByItself')}
      description={RUN_TYPE_HINTS[runType]}
      checked={runType === 'continuous'}
      onChange={(event) => onChange(event.currentTarget.checked ? 'continuous' : 'batch')}
      data-testid="run-type"
    />
  );
}

function Settled({ setUp }: { readonly setUp: SetUp }) {
  const { reconciliation, sign_evidence: evidence } = setUp;
  const go = useNavigation((state) => state.go);
  const { client } = useConnection();
  const [isRunning, setRunning] = useState(false);
  const open = (): void => go({ screen: 'reconciliation', id: reconciliation.id });
  async function openAndRun(): Promise<void> {
    setRunning(true);
    const { id } = reconciliation;
    // A run may have started by itself while the user was reading.
    const now = await client.call('reconciliations.get', { id });
    if (!now.ok || (now.value.current_run === null && now.value.last_run === null)) {
      const answer = await client.call('runs.start', { id });
      if (!answer.ok && answer.error.code !== 'run_in_progress') notifyFailure(say('reconciliations.new.theRunDidNotStart'), answer.error);
    }
    open();
  }
  const sign = SIGN_LABELS[reconciliation.sign_convention];
  return (
    <Stack>
      <Text size="sm">
        {say('reconciliations.new.isSetUp', {
          name: reconciliation.name,
          runTypeMeanings: RUN_TYPE_MEANINGS[reconciliation.run_type],
        })}
      </Text>
      <Alert
        color={evidence.assumed ? 'orange' : 'pine'}
        icon={<IconInfoCircle size={18} aria-hidden />}
        title={evidence.assumed ? say('reconciliations.new.assumed', { sign }) : sign}
        data-testid="sign-settled"
      >
        <Text size="sm">
          {SIGN_MEANINGS[reconciliation.sign_convention]} {signEvidenceSentence(evidence)}
        </Text>
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={open}>
          {say('reconciliations.new.open')}
        </Button>
        <Button onClick={() => void openAndRun()} loading={isRunning} data-autofocus data-testid="reconciliation-open-and-run">
          {say('reconciliations.new.openAndRun')}
        </Button>
      </Group>
    </Stack>
  );
}
