import { Button, Checkbox, Group, Progress, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { ALL_ACCOUNTS, needsProof } from '../../../src-shared/contract/imports/imports.ts';
import type { ImportPreview, ImportResult, Stream } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import type { JobProgress } from '../../api/follow-job.ts';
import { useOperation } from '../../api/use-operation.ts';
import { holdsLines } from '../../components/holds-lines.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countOf } from '../../format/counts.ts';
import { progressText } from '../../format/job-words.ts';
import { keyFromName } from '../../format/words.ts';
import { type Hindrance, hindranceOf, isFileKept, isWithoutMovement, NEW_ACCOUNT, type Target } from '../../state/import-flow.ts';
import styles from './import.module.css';
import { RememberRecipe } from './table-controls.tsx';
import type { ImportProcess } from './use-import.ts';

const HINDRANCES: Readonly<Record<NonNullable<Hindrance>, string>> = {
  nothing_to_import: say('imports.hindrances.nothingToImport'),
  no_stream: say('imports.hindrances.noStream'),
  bad_key: say('imports.hindrances.badKey'),
  no_account: say('imports.hindrances.noAccount'),
  no_account_name: say('imports.hindrances.noAccountName'),
  bad_currency: say('imports.hindrances.badCurrency'),
  bad_recipe: say('imports.hindrances.badRecipe'),
  no_recipe_name: say('imports.hindrances.noImportProfileName'),
  doubtful: say('imports.hindrances.doubtful'),
  asked: say('imports.hindrances.asked'),
  mismatch: say('imports.hindrances.mismatch'),
  no_currency: say('imports.hindrances.noCurrency'),
  other_currency: say('imports.hindrances.otherCurrency'),
  period_closed: say('imports.hindrances.periodClosed'),
  rejected: say('imports.hindrances.rejected'),
  unproved: say('imports.unproved.hindrance'),
  broken: say('imports.hindrances.broken'),
};

/** The target of the lines, the consents that the import needs, and its button. */
export function TargetPanel({ process, preview }: { readonly process: ImportProcess; readonly preview: ImportPreview }) {
  const { flow } = process;
  const { data: streams } = useOperation('streams.list', {});
  const hindrance = hindranceOf(flow);
  return (
    <aside className={`card ${styles.target}`} aria-label={say('imports.targetPanel.whereTheLinesGo')}>
      <Stack gap="md">
        <Title order={2}>{say('imports.targetPanel.importInto')}</Title>
        <AccountChoice target={flow.target} preview={preview} onChange={process.retarget} />
        <StreamChoice target={flow.target} streams={(streams ?? []).filter(holdsLines)} preview={preview} onChange={process.retarget} />
        <AccountLink target={flow.target} preview={preview} onChange={process.retarget} />
        <CurrencyField key={flow.target.key} target={flow.target} found={preview.result.currency} onChange={process.retarget} />
        {preview.result.recipe !== null && <RememberRecipe process={process} used={preview.result.recipe} />}
        <Checkbox
          label={say('imports.kept.keepTheFile')}
          description={say('imports.kept.whatItDoes')}
          checked={isFileKept(flow)}
          onChange={(event) => process.keepFile(event.currentTarget.checked)}
          data-testid="keep-file"
        />
        <Consents process={process} result={preview.result} />
        <WriteButton
          size="md"
          leftSection={<IconFileImport size={18} aria-hidden />}
          disabled={hindrance !== null || flow.isRereading}
          loading={flow.isRereading}
          onClick={process.start}
          data-testid="import-confirm"
        >
          {isWithoutMovement(preview.result)
            ? say('imports.targetPanel.importTheBalances')
            : say('imports.targetPanel.importRecords', { kept: preview.result.kept })}
        </WriteButton>
        {hindrance !== null && (
          <Text size="sm" c="dimmed" aria-live="polite">
            {HINDRANCES[hindrance]}
          </Text>
        )}
        <Button variant="subtle" color="gray" size="sm" onClick={process.again}>
          {say('imports.targetPanel.chooseAnotherFile')}
        </Button>
        {flow.isRereading && process.progress !== null && <ReadingAgain progress={process.progress} />}
      </Stack>
    </aside>
  );
}

/** The progress of another reading. It comes last, so that the layout does not move for a small file. */
function ReadingAgain({ progress }: { readonly progress: JobProgress }) {
  return (
    <div data-testid="reading-again">
      <Progress value={Math.max(progress.progress, 2)} animated aria-label={say('imports.targetPanel.readingTheFileAgain')} mb={6} />
      <Text size="sm" c="dimmed" className="wrap">
        {progressText(progress)}
      </Text>
    </div>
  );
}

/** Chooses one account of a file with several. */
function AccountChoice({ target, preview, onChange }: Pick<StreamChoiceProps, 'target' | 'preview' | 'onChange'>) {
  const { accounts } = preview;
  if (accounts.length < 2) return null;
  return (
    <Select
      label={say('imports.targetPanel.accountInTheFile')}
      description={say('imports.targetPanel.theFileHoldsAccounts', { accounts: accounts.length })}
      placeholder={say('imports.targetPanel.chooseAnAccount')}
      data={[
        ...accounts.map((each) => ({
          value: each.account,
          label: `${each.account} (${each.currency}, ${countOf(each.rows, 'count.rows')})`,
        })),
        { value: ALL_ACCOUNTS, label: say('imports.targetPanel.allAccountsIntoOneAccount') },
      ]}
      value={target.account === '' ? null : target.account}
      allowDeselect={false}
      searchable
      onChange={(chosen) => chosen !== null && onChange({ ...target, account: chosen })}
      data-testid="account-select"
    />
  );
}

interface StreamChoiceProps {
  readonly target: Target;
  readonly streams: readonly Stream[];
  readonly preview: ImportPreview;
  readonly onChange: (target: Target) => void;
}

function StreamChoice({ target, streams, preview, onChange }: StreamChoiceProps) {
  const { stream_key: key, stream_name: name } = preview.suggestion;
  function choose(mode: string): void {
    if (mode === 'new') onChange({ ...target, mode: 'new', key, name });
    else onChange({ ...target, mode: 'existing', key: streams[0]?.key ?? '', name: '' });
  }
  const isKnown = streams.some((stream) => stream.key === target.key);
  return (
    <>
      {streams.length > 0 && (
        <SegmentedControl
          fullWidth
          aria-label={say('imports.targetPanel.newOrExistingAccount')}
          value={target.mode}
          onChange={choose}
          data={[
            { value: 'new', label: say('imports.targetPanel.newAccount') },
            { value: 'existing', label: say('imports.targetPanel.existingAccount') },
          ]}
          data-testid="stream-mode"
        />
      )}
      {target.mode === 'existing' && streams.length > 0 ? (
        <Select
          label={say('imports.targetPanel.account')}
          data={streams.map((stream) => ({ value: stream.key, label: stream.name }))}
          value={isKnown ? target.key : null}
          allowDeselect={false}
          searchable
          onChange={(chosen) => chosen !== null && onChange({ ...target, key: chosen })}
          data-testid="stream-select"
        />
      ) : (
        <NewStreamFields key={preview.file.name} target={target} isTaken={isKnown} onChange={onChange} />
      )}
    </>
  );
}

function CurrencyField({
  target,
  found,
  onChange,
}: {
  readonly target: Target;
  readonly found: string | null;
  readonly onChange: (target: Target) => void;
}) {
  return (
    <TextInput
      label={say('imports.targetPanel.currency')}
      description={
        found === null ? say('imports.targetPanel.threeLettersSuchAsGbp') : say('imports.targetPanel.readAsAnotherCode', { found })
      }
      placeholder={found ?? say('imports.targetPanel.gbp')}
      value={target.currency}
      maxLength={3}
      error={
        target.currency !== '' && target.currency.length === 3 && !/^[A-Z]{3}$/.test(target.currency)
          ? say('imports.targetPanel.threeLettersSuchAsGbp')
          : null
      }
      onChange={(event) => onChange({ ...target, currency: event.currentTarget.value.toUpperCase().trim() })}
      data-testid="import-currency"
    />
  );
}

function Consents({ process, result }: { readonly process: ImportProcess; readonly result: ImportResult }) {
  const { consent } = process.flow;
  const isUnproved = needsProof(result);
  if (result.rejected === 0 && result.proof !== 'broken' && !isUnproved && result.misfits.length === 0) return null;
  return (
    <Group bd="1px solid var(--open)" bdrs="md" p="sm" gap="sm">
      {result.misfits.length > 0 && (
        <Checkbox
          label={say('imports.targetPanel.itIsTheRight')}
          checked={consent.target}
          onChange={(event) => process.consent({ ...consent, target: event.currentTarget.checked })}
          data-testid="accept-target"
        />
      )}
      {result.rejected > 0 && (
        <Checkbox
          label={say('imports.targetPanel.leaveOutTheRows', { rejected: result.rejected })}
          checked={consent.rejected}
          onChange={(event) => process.consent({ ...consent, rejected: event.currentTarget.checked })}
          data-testid="accept-rejected"
        />
      )}
      {isUnproved && (
        <Checkbox
          label={say('imports.unproved.accept')}
          checked={consent.unproved}
          onChange={(event) => process.consent({ ...consent, unproved: event.currentTarget.checked })}
          data-testid="accept-unproved"
        />
      )}
      {result.proof === 'broken' && (
        <Checkbox
          label={
            result.problems.some(({ code }) => code === 'file_cut_off')
              ? say('imports.targetPanel.importEvenThoughTheFile')
              : say('imports.targetPanel.importEvenThoughTheBalances')
          }
          checked={consent.broken}
          onChange={(event) => process.consent({ ...consent, broken: event.currentTarget.checked })}
          data-testid="accept-broken"
        />
      )}
    </Group>
  );
}

interface AccountLinkProps {
  readonly target: Target;
  readonly preview: ImportPreview;
  readonly onChange: (target: Target) => void;
}

/** The bank account that gets the balances of the statement: the stream's own, or the one to link to it. */
function AccountLink({ target, preview, onChange }: AccountLinkProps) {
  const { data: accounts } = useOperation('bank_accounts.list', {});
  const { data: streams } = useOperation('streams.list', {});
  if (preview.result.balances.stated === 0 && target.bankAccount === '') return null;
  const linkedId = streams?.find(({ key }) => key === target.key)?.bank_account_id ?? null;
  if (linkedId !== null) {
    return (
      <Text size="sm" data-testid="linked-account">
        {say('imports.targetPanel.balancesGoToTheBankAccount', { name: accounts?.find(({ id }) => id === linkedId)?.name ?? linkedId })}
      </Text>
    );
  }
  return (
    <>
      <Select
        label={say('imports.targetPanel.bankAccount')}
        description={say('imports.targetPanel.theStatementSBalances')}
        placeholder={say('imports.targetPanel.none')}
        data={[
          ...(accounts ?? []).map((account) => ({
            value: String(account.id),
            label: account.currency === null ? account.name : `${account.name} (${account.currency})`,
          })),
          { value: NEW_ACCOUNT, label: say('imports.targetPanel.aNewBankAccount') },
        ]}
        value={target.bankAccount === '' ? null : target.bankAccount}
        clearable
        allowDeselect={false}
        onChange={(chosen) => onChange({ ...target, bankAccount: chosen ?? '', bankAccountName: preview.suggestion.stream_name })}
        data-testid="bank-account-select"
      />
      {target.bankAccount === NEW_ACCOUNT && <NewAccountName key={preview.file.name} target={target} onChange={onChange} />}
    </>
  );
}

function NewAccountName({ target, onChange }: Pick<AccountLinkProps, 'target' | 'onChange'>) {
  const [name, setName] = useState(target.bankAccountName);
  return (
    <TextInput
      label={say('imports.targetPanel.nameOfTheBank')}
      value={name}
      maxLength={255}
      error={name.trim() === '' ? say('imports.targetPanel.nameTheAccountOrChooseNoneAbove') : null}
      onChange={(event) => setName(event.currentTarget.value)}
      // Each change reads the file again, so it is passed on when the field loses focus and not at every letter.
      onBlur={() => onChange({ ...target, bankAccountName: name.trim() })}
      data-testid="bank-account-name"
    />
  );
}

interface NewStreamFieldsProps {
  readonly target: Target;
  readonly isTaken: boolean;
  readonly onChange: (target: Target) => void;
}

/** Name and key of a new stream. The key follows the name until the user types one. */
function NewStreamFields({ target, isTaken, onChange }: NewStreamFieldsProps) {
  const [name, setName] = useState(target.name);
  const [key, setKey] = useState(target.key);
  const [isOwnKey, setOwnKey] = useState(false);
  // Each change reads the file again, so it is passed on when a field loses focus and not at every letter.
  const settle = (): void => onChange({ ...target, name: name.trim(), key });
  const isValid = key === '' || /^[a-z0-9][a-z0-9_.-]*$/.test(key);
  return (
    <>
      <TextInput
        label={say('imports.targetPanel.name')}
        value={name}
        maxLength={255}
        onChange={(event) => {
          const given = event.currentTarget.value;
          setName(given);
          if (!isOwnKey) setKey(keyFromName(given));
        }}
        onBlur={settle}
        data-testid="stream-name"
      />
      <TextInput
        label={say('imports.targetPanel.key')}
        description={say('imports.targetPanel.whatRulesAndTheCommand')}
        value={key}
        maxLength={100}
        error={isTaken ? say('imports.targetPanel.thisAccountExistsTheLines') : isValid ? null : say('imports.targetPanel.lettersAZDigits')}
        onChange={(event) => {
          setKey(event.currentTarget.value);
          setOwnKey(true);
        }}
        onBlur={settle}
        data-testid="stream-key"
      />
    </>
  );
}
