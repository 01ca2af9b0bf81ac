import {
  Alert,
  Autocomplete,
  Button,
  Code,
  Group,
  Loader,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Call, DatabaseConnection, Failure, TablePlan, TableProposal, TableRun } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useAnswer, useCommand, useConnection, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { type Draft, draftOf, mappingOf, SideMappingForm } from './side-mapping.tsx';

type Choices = Call<'table_runs.start'>;
const SIDES = ['a', 'b'] as const;

/** Reconciles two tables of a database where they are. */
export function DatabaseScreen({ id }: { readonly id: number }) {
  const { data, error, refetch } = useOperation('connections.list', {});
  const connection = data?.find((each) => each.id === id);
  if (error !== null && data === undefined) {
    return <FailurePanel title={say('databases.section.couldNotBeRead')} failure={error} onRetry={refetch} />;
  }
  if (data === undefined) return <Skeleton height={200} />;
  if (connection === undefined) {
    return (
      <Page title={say('databases.section.title')}>
        <Text data-testid="no-such-database">{say('databases.screen.isNotThere')}</Text>
        <PlaceLink place={{ screen: 'settings' }}>{say('databases.screen.toTheSettings')}</PlaceLink>
      </Page>
    );
  }
  return (
    <Page title={connection.name} subtitle={say('databases.screen.about')} testId="database-screen">
      <Stack gap="lg" maw="64rem">
        <RunInView id={id} />
        <Choosing key={id} connection={connection} />
      </Stack>
    </Page>
  );
}

interface Columns {
  readonly a: TableProposal;
  readonly b: TableProposal;
}

/** Holds the tables of both sides, and which column of them is what. `clear` forgets what was said of the former choice. */
function useColumns({ id, last_choices: last }: DatabaseConnection, clear: () => void, setFailure: (failure: Failure) => void) {
  const { client } = useConnection();
  const [tables, setTables] = useState({ a: last?.a ?? '', b: last?.b ?? '' });
  const [columns, setColumns] = useState<Columns | null>(null);
  const [drafts, setDrafts] = useState<Readonly<Record<'a' | 'b', Draft>> | null>(null);
  const [isReading, setReading] = useState(false);
  return {
    tables,
    columns,
    drafts,
    isReading,
    mapping: drafts === null ? null : { a: mappingOf(drafts.a), b: mappingOf(drafts.b) },
    setTable: (side: 'a' | 'b', value: string) => {
      clear();
      setTables((before) => ({ ...before, [side]: value }));
      setColumns(null);
      setDrafts(null);
    },
    setDraft: (side: 'a' | 'b', draft: Draft) => {
      clear();
      setDrafts((before) => (before === null ? null : { ...before, [side]: draft }));
    },
    read: async (): Promise<void> => {
      clear();
      setReading(true);
      const answer = await client.call('table_runs.propose', { id, ...tables });
      setReading(false);
      if (!answer.ok) return setFailure(answer.error);
      const mapping = last !== null && last.a === tables.a && last.b === tables.b ? last.mapping : null;
      setColumns(answer.value);
      setDrafts({ a: draftOf(mapping?.a ?? answer.value.a.mapping), b: draftOf(mapping?.b ?? answer.value.b.mapping) });
      return undefined;
    },
  };
}

/** Holds what a person chose, from the tables to the rules. */
function useChoices(connection: DatabaseConnection) {
  const { id, last_choices: last } = connection;
  const [name, setName] = useState(last?.name ?? '');
  const [sign, setSign] = useState<'same' | 'opposite'>(last?.sign_convention ?? 'same');
  const [rulesOf, setRulesOf] = useState<string | null>(last?.rules_of?.toString() ?? null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [plan, setPlan] = useState<TablePlan | null>(null);
  const planning = useCommand('table_runs.plan', setFailure);
  const starting = useCommand('table_runs.start', setFailure);
  const clear = (): void => {
    setFailure(null);
    setPlan(null);
  };
  const sides = useColumns(connection, clear, setFailure);
  const { tables, mapping } = sides;
  const title = name.trim() === '' ? `${tables.a} / ${tables.b}`.slice(0, 255) : name.trim();
  const choices: Choices | null =
    mapping === null || mapping.a === null || mapping.b === null
      ? null
      : { id, ...tables, name: title, mapping: { a: mapping.a, b: mapping.b }, sign_convention: sign, rules_of: rulesOf };
  return {
    ...sides,
    title,
    name,
    sign,
    rulesOf,
    failure,
    plan,
    choices,
    setName,
    isPlanning: planning.isRunning,
    isStarting: starting.isRunning,
    setSign: (value: 'same' | 'opposite') => {
      clear();
      setSign(value);
    },
    setRulesOf: (value: string | null) => {
      clear();
      setRulesOf(value);
    },
    rehearse: async (): Promise<void> => {
      if (choices === null) return;
      clear();
      const answer = await planning.run(choices);
      if (answer.ok) setPlan(answer.value);
    },
    start: async (): Promise<void> => {
      if (choices === null) return;
      clear();
      await starting.run(choices);
    },
  };
}

type Chosen = ReturnType<typeof useChoices>;

function Choosing({ connection }: { readonly connection: DatabaseConnection }) {
  const chosen = useChoices(connection);
  const { tables, columns, drafts, failure, plan } = chosen;
  return (
    <>
      <Tables id={connection.id} chosen={chosen} />
      {columns !== null && drafts !== null && (
        <>
          <Title order={2}>{say('databases.screen.columns')}</Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
            {SIDES.map((side) => (
              <SideMappingForm
                key={side}
                side={side}
                table={tables[side]}
                proposal={columns[side]}
                draft={drafts[side]}
                onChange={(draft) => chosen.setDraft(side, draft)}
              />
            ))}
          </SimpleGrid>
          <Rules chosen={chosen} />
          <Actions chosen={chosen} />
        </>
      )}
      {failure !== null && <FailurePanel title={say('databases.screen.cannotBeDone')} failure={failure} />}
      {plan !== null && <Plan plan={plan} />}
    </>
  );
}

function Tables({ id, chosen }: { readonly id: number; readonly chosen: Chosen }) {
  const seen = useAnswer('table_runs.tables', { id });
  const { tables } = chosen;
  return (
    <>
      <Title order={2}>{say('databases.screen.tables')}</Title>
      {seen.error !== null && (
        <FailurePanel title={say('databases.section.cannotBeUsed')} failure={seen.error} onRetry={() => void seen.refetch()} />
      )}
      <Group align="flex-end" grow preventGrowOverflow={false} wrap="wrap">
        {SIDES.map((side) => (
          <Autocomplete
            key={side}
            label={side === 'a' ? say('databases.screen.sideA') : say('databases.screen.sideB')}
            description={say('databases.screen.aTableOrAFile')}
            data={seen.data ?? []}
            value={tables[side]}
            onChange={(value) => chosen.setTable(side, value)}
            data-testid={`table-${side}`}
          />
        ))}
        <Button
          variant="default"
          disabled={tables.a.trim() === '' || tables.b.trim() === ''}
          loading={chosen.isReading}
          onClick={() => void chosen.read()}
          data-testid="read-columns"
        >
          {say('databases.screen.readColumns')}
        </Button>
      </Group>
    </>
  );
}

function Actions({ chosen }: { readonly chosen: Chosen }) {
  const isIncomplete = chosen.choices === null;
  return (
    <>
      {isIncomplete && (
        <Text size="sm" c="dimmed" data-testid="mapping-incomplete">
          {say('databases.screen.completeTheColumns')}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          disabled={isIncomplete}
          loading={chosen.isPlanning}
          onClick={() => void chosen.rehearse()}
          data-testid="table-plan"
        >
          {say('databases.screen.dryRun')}
        </Button>
        <WriteButton disabled={isIncomplete} loading={chosen.isStarting} onClick={() => void chosen.start()} data-testid="table-start">
          {say('databases.screen.run')}
        </WriteButton>
      </Group>
    </>
  );
}

function Rules({ chosen }: { readonly chosen: Chosen }) {
  const { data } = useOperation('reconciliations.list', { limit: 100 });
  const choices = (data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <>
      <Title order={2}>{say('databases.screen.rules')}</Title>
      <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
        <Select
          label={say('databases.screen.whichRules')}
          placeholder={say('databases.screen.defaultRules')}
          data={choices}
          value={chosen.rulesOf}
          clearable
          onChange={chosen.setRulesOf}
          data-testid="table-rules"
        />
        <Select
          label={say('databases.screen.signs')}
          data={[
            { value: 'same', label: say('databases.screen.signsAreTheSame') },
            { value: 'opposite', label: say('databases.screen.signsAreOpposite') },
          ]}
          value={chosen.sign}
          allowDeselect={false}
          onChange={(value) => chosen.setSign(value === 'opposite' ? 'opposite' : 'same')}
          data-testid="table-signs"
        />
        <TextInput
          label={say('databases.screen.name')}
          placeholder={chosen.title}
          value={chosen.name}
          maxLength={255}
          onChange={(event) => chosen.setName(event.currentTarget.value)}
          data-testid="table-run-name"
        />
      </Group>
    </>
  );
}

/** Shows what a run would do. */
function Plan({ plan }: { readonly plan: TablePlan }) {
  const { rows, takes, open_at_most_about: open, rules, load } = plan;
  return (
    <Stack data-testid="table-plan-result">
      <Title order={2}>{say('databases.screen.dryRun')}</Title>
      <Text size="sm">{say('databases.screen.rowsAndOpen', { a: rows.a, b: rows.b, open })}</Text>
      <Text size="sm">{takes}</Text>
      {rules.map(({ says }) => (
        <Text key={says.join()} size="sm">
          {says.join(' ')}
        </Text>
      ))}
      <details>
        <summary>{say('databases.screen.statements')}</summary>
        <Code block data-testid="table-plan-sql">
          {[load.a, load.b, ...rules.flatMap(({ statements }) => statements)].join('\n\n')}
        </Code>
      </details>
    </Stack>
  );
}

/** Keeps the run in view while it changes: it is above the columns, and what starts it is below them. */
function RunInView({ id }: { readonly id: number }) {
  const { data: run } = useOperation('table_runs.get', { id });
  const place = useRef<HTMLDivElement>(null);
  const seen = useRef<string | undefined>(undefined);
  const state = run === undefined ? undefined : (run?.state ?? 'none');
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== state) place.current?.scrollIntoView({ block: 'nearest' });
    seen.current = state;
  }, [state]);
  return (
    <div ref={place}>
      <Run id={id} />
    </div>
  );
}

/** Shows the run that is under way, or what the last one brought home. */
function Run({ id }: { readonly id: number }) {
  const { data: run } = useOperation('table_runs.get', { id });
  const cancel = useCommand('table_runs.cancel', (failure) => notifyFailure(say('databases.screen.wasNotCancelled'), failure));
  if (run === undefined || run === null) return null;
  if (run.state === 'running') {
    return (
      <Alert color="pine" icon={<Loader size={18} />} title={say('databases.screen.isRunning')} data-testid="table-run">
        <Group justify="space-between">
          <Text size="sm">{run.step}</Text>
          <Button size="xs" variant="default" loading={cancel.isRunning} onClick={() => void cancel.run({ id })} data-testid="table-cancel">
            {say('databases.screen.cancel')}
          </Button>
        </Group>
      </Alert>
    );
  }
  if (run.result === null) return <Ended id={id} run={run} />;
  return <Brought result={run.result} />;
}

/** Says why a run ended without a result. After a lost connection the same run can be started again. */
function Ended({ id, run: { state, message, connection_lost: isLost } }: { readonly id: number; readonly run: TableRun }) {
  const { data } = useOperation('connections.list', {});
  const start = useCommand('table_runs.start', (failure) => notifyFailure(say('databases.screen.cannotBeDone'), failure));
  const last = data?.find((each) => each.id === id)?.last_choices ?? null;
  const title = state === 'cancelled' ? say('databases.screen.wasCancelled') : say('databases.screen.hasFailed');
  return (
    <Alert color={state === 'cancelled' ? 'gray' : 'red'} title={title} data-testid="table-run-ended">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{message}</Text>
        {isLost && last !== null && (
          <WriteButton
            size="xs"
            variant="default"
            loading={start.isRunning}
            onClick={() => void start.run({ id, ...last })}
            data-testid="table-restart"
          >
            {say('databases.screen.startAgain')}
          </WriteButton>
        )}
      </Stack>
    </Alert>
  );
}

function Brought({ result }: { readonly result: NonNullable<TableRun['result']> }) {
  const {
    reconciliation_id: id,
    stream_keys: keys,
    lines,
    open,
    settled_there: there,
    solved_at_home: home,
    proposed,
    left_out: leftOut,
  } = result;
  return (
    <Alert color="pine" title={say('databases.screen.cameHome')} data-testid="table-run-result">
      <Stack gap="xs">
        <Text size="sm">{say('databases.screen.settled', { there, home })}</Text>
        <Text size="sm">{say('databases.screen.isOpen', { a: open.a, ofA: lines.a, b: open.b, ofB: lines.b, proposed })}</Text>
        {leftOut > 0 && <Text size="sm">{say('databases.screen.leftOut', { count: leftOut })}</Text>}
        <Group gap="md">
          <PlaceLink place={{ screen: 'reconciliation', id }} testId="open-brought">
            {say('databases.screen.openIt')}
          </PlaceLink>
          {SIDES.map((side) => (
            <PlaceLink key={side} place={{ screen: 'stream', key: keys[side] }}>
              {keys[side]}
            </PlaceLink>
          ))}
        </Group>
      </Stack>
    </Alert>
  );
}
