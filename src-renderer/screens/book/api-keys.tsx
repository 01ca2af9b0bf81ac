import { Anchor, Badge, Button, Group, Modal, NativeSelect, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ApiKey, Output } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { agoText } from '../../format/dates.ts';
import { ENVIRONMENT_LABELS, PERMISSION_LABELS } from '../../format/words.ts';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { figureFormula, LINKED_TABLES, powerQueryText } from '../../../src-shared/values/sheet-link.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

/** The keys and sheet links of the local address: their owners, their last use, and how to revoke them. */
export function ApiKeys() {
  const keys = useOperation('api_keys.list', {});
  const [adding, setAdding] = useState<'key' | 'link' | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  // The use of a key does not change the book, so no event reports it.
  const { refetch } = keys;
  useEffect(() => void refetch(), [refetch]);
  return (
    <Section
      id="api-keys"
      title={say('book.settings.apiKeys')}
      about={say('book.settings.eachProgramHasAKey')}
      action={
        <Group gap="xs">
          <WriteButton
            size="sm"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAdding('link')}
            data-testid="new-sheet-link"
          >
            {say('book.settings.newSheetLink')}
          </WriteButton>
          <WriteButton size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding('key')} data-testid="new-key">
            {say('book.settings.newKey')}
          </WriteButton>
        </Group>
      }
    >
      {keys.isPending && <Skeleton height={120} />}
      {keys.isLoadingError && (
        <FailurePanel title={say('book.settings.theKeysCouldNotBeRead')} failure={keys.error} onRetry={keys.refetch} />
      )}
      {keys.data !== undefined && <KeyList keys={keys.data} onRevoke={setRevoking} />}
      {adding === 'key' && <NewKey onClose={() => setAdding(null)} />}
      {adding === 'link' && <NewSheetLink onClose={() => setAdding(null)} />}
      {revoking !== null && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Section>
  );
}

function KeyList({ keys, onRevoke }: { readonly keys: readonly ApiKey[]; readonly onRevoke: (key: ApiKey) => void }) {
  const [showsRevoked, setShowsRevoked] = useState(false);
  const revoked = keys.filter((key) => key.revoked_at !== null);
  const shown = keys.filter((key) => showsRevoked || key.revoked_at === null);
  return (
    <>
      {shown.length === 0 ? (
        <Text className={styles.row} size="sm" c="dimmed" data-testid="no-keys">
          {keys.length === 0 ? say('book.settings.noKeysYetAProgram') : say('book.settings.noKeyWorksAnyMore')}
        </Text>
      ) : (
        <ul className={styles.list} aria-label={say('book.settings.apiKeys')}>
          {shown.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
          ))}
        </ul>
      )}
      {revoked.length > 0 && (
        <div className={styles.row} data-quiet>
          <Anchor component="button" type="button" size="sm" onClick={() => setShowsRevoked(!showsRevoked)} data-testid="show-revoked">
            {showsRevoked ? say('book.settings.hideRevokedKeys') : say('book.settings.showRevokedKeys', { revoked: revoked.length })}
          </Anchor>
        </div>
      )}
    </>
  );
}

function Row({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) {
  const now = useNow();
  const {
    name,
    environment,
    permission,
    reconciliation_id: of,
    created_at: createdAt,
    last_used_at: usedAt,
    revoked_at: revokedAt,
  } = apiKey;
  return (
    <li className={`${styles.row} ${styles.item}`} data-testid="key-row">
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Text size="sm" fw={560} className="truncate" title={name} {...(revokedAt === null ? {} : { c: 'dimmed' })}>
            {name}
          </Text>
          <Badge color={environment === 'live' ? 'pine' : 'orange'}>{ENVIRONMENT_LABELS[environment]}</Badge>
          {of !== null && <Badge color="gray">{say('book.settings.sheetLink')}</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          {of === null ? say('book.settings.made', { permissionLabels: PERMISSION_LABELS[permission] }) : <LinkMade id={of} />}{' '}
          <Instant at={createdAt} text={agoText(createdAt, now)} /> ·{' '}
          {usedAt === null ? (
            say('book.settings.neverUsed')
          ) : (
            <>
              {say('book.settings.lastUsed')} <Instant at={usedAt} text={agoText(usedAt, now)} />
            </>
          )}
        </Text>
      </Stack>
      {revokedAt === null ? (
        <WriteButton
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={onRevoke}
          aria-label={say('book.settings.revokeNamed', { name })}
          data-testid="revoke-key"
        >
          {say('book.settings.revoke')}
        </WriteButton>
      ) : (
        <Text size="xs" c="dimmed">
          {say('book.settings.revoked')} <Instant at={revokedAt} text={agoText(revokedAt, now)} />
        </Text>
      )}
    </li>
  );
}

type Issued = Output<'api_keys.issue'>;

interface IssueDialogProps {
  readonly title: string;
  /** Whether the secret is shown. A stray click must not close the dialog then, because it is shown only once. */
  readonly isShown: boolean;
  readonly size?: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly testId: string;
}

/** Issues a key or a link and shows it. */
function IssueDialog({ title, isShown, size = 'md', children, onClose, testId }: IssueDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      size={size}
      title={title}
      closeButtonProps={{ 'aria-label': say('book.settings.close') }}
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      data-testid={testId}
    >
      {children}
    </Modal>
  );
}

interface IssueFormProps {
  readonly isComplete: boolean;
  readonly isRunning: boolean;
  readonly verb: string;
  readonly onSubmit: () => Promise<void>;
  readonly onCancel: () => void;
  readonly children: ReactNode;
  readonly testId: string;
}

function IssueForm({ isComplete, isRunning, verb, onSubmit, onCancel, children, testId }: IssueFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void onSubmit();
      }}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {say('book.settings.cancel')}
          </Button>
          <Button type="submit" disabled={!isComplete} loading={isRunning} data-testid={testId}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface NameInputProps {
  readonly about: string;
  readonly name: string;
  readonly onChange: (name: string) => void;
  readonly testId: string;
}

function NameInput({ about, name, onChange, testId }: NameInputProps) {
  return (
    <TextInput
      label={say('book.settings.name')}
      description={about}
      placeholder={say('book.settings.monthEndSpreadsheet')}
      value={name}
      maxLength={255}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
      data-testid={testId}
    />
  );
}

function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [issued, setIssued] = useState<Issued | null>(null);
  return (
    <IssueDialog
      title={issued === null ? say('book.settings.newApiKey') : say('book.settings.copyTheKeyNow')}
      isShown={issued !== null}
      onClose={onClose}
      testId="new-key-dialog"
    >
      {issued === null ? <Form onCancel={onClose} onDone={setIssued} /> : <Shown issued={issued} onClose={onClose} />}
    </IssueDialog>
  );
}

function Form({ onCancel, onDone }: { readonly onCancel: () => void; readonly onDone: (issued: Issued) => void }) {
  const { data: book } = useOperation('book.overview', {});
  const issue = useCommand('api_keys.issue', (failure) => notifyFailure(say('book.settings.noKeyWasMade'), failure));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ApiKey['environment'] | null>(null);
  const [permission, setPermission] = useState<ApiKey['permission']>('read');
  const environment = chosen ?? (book?.environment === 'test' ? 'test' : 'live');
  const isComplete = name.trim() !== '';
  async function submit(): Promise<void> {
    const answer = await issue.run({ name: name.trim(), environment, permission });
    if (answer.ok) onDone(answer.value);
  }
  return (
    <IssueForm
      isComplete={isComplete}
      isRunning={issue.isRunning}
      verb={say('book.settings.makeTheKey')}
      onSubmit={submit}
      onCancel={onCancel}
      testId="key-create"
    >
      <NameInput about={say('book.settings.theProgramThatWillUseIt')} name={name} onChange={setName} testId="key-name" />
      <Radio.Group
        label={say('book.settings.itMay')}
        value={permission}
        onChange={(value) => setPermission(value === 'read_write' ? 'read_write' : 'read')}
      >
        <Group gap="lg" mt="xs">
          <Radio value="read" label={say('book.settings.read')} data-testid="key-read" />
          <Radio value="read_write" label={say('book.settings.readAndWrite')} data-testid="key-read-write" />
        </Group>
      </Radio.Group>
      <Radio.Group
        label={say('book.settings.environment')}
        value={environment}
        onChange={(value) => setChosen(value === 'test' ? 'test' : 'live')}
      >
        <Group gap="lg" mt="xs">
          <Radio value="live" label={ENVIRONMENT_LABELS.live} data-testid="key-live" />
          <Radio value="test" label={ENVIRONMENT_LABELS.test} data-testid="key-test" />
        </Group>
      </Radio.Group>
    </IssueForm>
  );
}

function Shown({ issued, onClose }: { readonly issued: Issued; readonly onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Said words="book.settings.theKeyOfItIsShown" with={{ name: <b>{issued.name}</b> }} />
      </Text>
      <div className={styles.key} data-testid="issued-key">
        {issued.key}
      </div>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-testid="key-done">
          {say('book.settings.done')}
        </Button>
        <CopyButton text={issued.key} what={say('book.settings.theKey')} testId="copy-key" isMain />
      </Group>
    </Stack>
  );
}

/** Asks before a key is revoked, which cannot be undone. */
function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const revoke = useCommand('api_keys.revoke', (failure) => notifyFailure(say('book.settings.theKeyWasNotRevoked'), failure));
  async function run(): Promise<void> {
    const answer = await revoke.run({ id: apiKey.id });
    if (answer.ok) notifyDone(say('book.settings.revokedNamed', { name: apiKey.name }));
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('book.settings.revokeThisKey')}
      closeButtonProps={{ 'aria-label': say('book.settings.close') }}
    >
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Said words="book.settings.whateverUsesIsRefused" with={{ name: <b>{apiKey.name}</b> }} />
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {say('book.settings.keepIt')}
          </Button>
          <Button color="red" loading={revoke.isRunning} onClick={() => void run()} data-testid="revoke-confirm">
            {say('book.settings.revoke')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Says what a sheet link shows. */
function LinkMade({ id }: { readonly id: number }) {
  const { data } = useOperation('reconciliations.list', { limit: 100 });
  const name = data?.data.find((found) => found.id === id)?.name;
  return name === undefined ? say('book.settings.linkOfUnknown') : say('book.settings.linkMade', { name });
}

function NewSheetLink({ onClose }: { readonly onClose: () => void }) {
  const [issued, setIssued] = useState<Issued | null>(null);
  return (
    <IssueDialog
      title={issued === null ? say('book.settings.newSheetLink') : say('book.settings.copyTheLinkNow')}
      isShown={issued !== null}
      size="lg"
      onClose={onClose}
      testId="new-link-dialog"
    >
      {issued === null ? <LinkForm onCancel={onClose} onDone={setIssued} /> : <ShownLink issued={issued} onClose={onClose} />}
    </IssueDialog>
  );
}

function LinkForm({ onCancel, onDone }: { readonly onCancel: () => void; readonly onDone: (issued: Issued) => void }) {
  const { data: book } = useOperation('book.overview', {});
  const { data: listed } = useOperation('reconciliations.list', { limit: 100 });
  const issue = useCommand('api_keys.issue', (failure) => notifyFailure(say('book.settings.noLinkWasMade'), failure));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const reconciliations = listed?.data ?? [];
  const id = chosen ?? reconciliations[0]?.id.toString() ?? '';
  const isComplete = name.trim() !== '' && id !== '';
  async function submit(): Promise<void> {
    const environment = book?.environment === 'test' ? 'test' : 'live';
    const answer = await issue.run({ name: name.trim(), environment, permission: 'read', reconciliation_id: id });
    if (answer.ok) onDone(answer.value);
  }
  return (
    <IssueForm
      isComplete={isComplete}
      isRunning={issue.isRunning}
      verb={say('book.settings.makeTheLink')}
      onSubmit={submit}
      onCancel={onCancel}
      testId="link-create"
    >
      <Text size="sm">{say('book.settings.sheetLinkIsAnAddress')}</Text>
      <NativeSelect
        label={say('book.settings.reconciliation')}
        data={reconciliations.map((each) => ({ value: String(each.id), label: each.name }))}
        value={id}
        onChange={(event) => setChosen(event.currentTarget.value)}
        {...(listed !== undefined && reconciliations.length === 0 && { error: say('book.settings.noReconciliationYet') })}
        data-testid="link-reconciliation"
      />
      <NameInput about={say('book.settings.theWorkbookThatWillUseIt')} name={name} onChange={setName} testId="link-name" />
    </IssueForm>
  );
}

/** The figures that are offered as formulas, by their path behind the link. */
const OFFERED = [
  { path: 'open', words: () => say('book.settings.formulaOpen') },
  { path: 'items', words: () => say('book.settings.formulaItems') },
  { path: 'matched', words: () => say('book.settings.formulaMatched') },
  { path: 'balances', words: () => say('book.settings.formulaUnexplained') },
  { path: 'open?measure=read_at', words: () => say('book.settings.formulaReadAt') },
] as const;

interface CopiesProps {
  readonly title: string;
  readonly hint?: string;
  readonly testId: string;
  readonly children: readonly { readonly what: string; readonly text: string; readonly testId: string }[];
}

/** A list of texts to be copied into a spreadsheet, each by its name. */
function Copies({ title, hint, testId, children }: CopiesProps) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={560}>
        {title}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      <ul className={styles.copies} aria-label={title}>
        {children.map((each) => (
          <li key={each.testId} className={styles.item} data-testid={testId}>
            <Text size="sm" flex={1}>
              {each.what}
            </Text>
            <CopyButton text={each.text} what={each.what} testId={each.testId} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function ShownLink({ issued, onClose }: { readonly issued: Issued; readonly onClose: () => void }) {
  const { data: port } = useOperation('local_port.get', {});
  const base = port?.base_url?.replace(/\/v1$/, '');
  const address = `${base ?? 'http://127.0.0.1:4690'}/sheet/${issued.key}`;
  const isAnswering = base !== undefined && !(port?.served_by === 'settings' && port.port === null);
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Said words="book.settings.theLinkOfItIsShown" with={{ name: <b>{issued.name}</b> }} />
      </Text>
      {port !== undefined && !isAnswering && (
        <Text size="sm" role="alert" data-testid="link-address-off">
          {say('book.settings.theAddressIsOff')}
        </Text>
      )}
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <div className={styles.key} style={{ flex: 1 }} data-testid="issued-link">
          {address}
        </div>
        <CopyButton text={address} what={say('book.settings.theLink')} testId="copy-link" />
      </Group>
      {isAnswering && (
        <Group gap="sm">
          <Button
            component="a"
            href={`${address}/workbook`}
            target="_blank"
            rel="noreferrer"
            size="compact-sm"
            variant="default"
            data-testid="link-workbook"
          >
            {say('book.settings.readyWorkbook')}
          </Button>
          <Text size="xs" c="dimmed">
            {say('book.settings.readyWorkbookHint')}
          </Text>
        </Group>
      )}
      <Copies title={say('book.settings.formulas')} testId="link-formula">
        {OFFERED.map(({ path, words }) => ({ what: words(), text: figureFormula(`"${address}/${path}"`), testId: `copy-${path}` }))}
      </Copies>
      <Copies title={say('book.settings.powerQuery')} hint={say('book.settings.powerQueryHint')} testId="link-query">
        {LINKED_TABLES.map((table) => ({
          what: say(table.words),
          text: powerQueryText(address, table),
          testId: `copy-query-${table.path}`,
        }))}
      </Copies>
      <Group justify="flex-end">
        <Button onClick={onClose} data-testid="link-done">
          {say('book.settings.done')}
        </Button>
      </Group>
    </Stack>
  );
}
