import { Button, Checkbox, Group, Progress, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { ALL_ACCOUNTS, isUnprovedPdf } from '../../../src-shared/contract/imports/imports.ts';
import type { ImportPreview, ImportResult, Stream } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import type { JobProgress } from '../../api/follow-job.ts';
import { useOperation } from '../../api/use-operation.ts';
import { holdsLines } from '../../components/holds-lines.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { progressText } from '../../format/job-words.ts';
import { keyFromName } from '../../format/words.ts';
import { type Hindrance, hindranceOf, isWithoutMovement, NEW_ACCOUNT, type Target } from '../../state/import-flow.ts';
import styles from './import.module.css';
import { RememberRecipe } from './recipe-bar.tsx';
import type { ImportProcess } from './use-import.ts';

const HINDRANCES: Readonly<Record<NonNullable<Hindrance>, string>> = {
  nothing_to_import: 'No row of this file can be imported.',
  no_stream: 'Choose the stream that the lines go into.',
  bad_key: 'The key may have letters a-z, digits and _ - . only, and starts with a letter or digit.',
  no_account: 'The file holds several accounts. Choose the one whose lines go into this stream.',
  no_account_name: 'Name the new bank account, or choose none.',
  bad_currency: 'Write the currency as three letters, such as GBP, or leave it empty.',
  bad_recipe: 'No table can be read by these columns. Set them right first.',
  no_recipe_name: 'Name the recipe, or do not remember it.',
  doubtful: 'Choose first whether to read the file by the kept recipe.',
  asked: 'Answer above first: the file leaves something open.',
  mismatch: 'The file does not seem to belong in this stream. Choose another stream, or agree above to import it nevertheless.',
  no_currency: 'Say in which currency the file is: it names none.',
  other_currency: 'The file is in another currency. Choose another stream, or agree above to import it nevertheless.',
  period_closed: 'Some lines fall into a closed period. Reopen it with a reason, or leave their rows out.',
  rejected: 'Some rows are not readable. Correct the file, or agree above to leave them out.',
  unproved: say('imports.unproved.hindrance'),
  broken: 'The balances do not agree, or the end of the file is missing. Look for what is missing, or agree above to import as it is.',
};

/** The target of the lines, the consents that the import needs, and its button. */
export function TargetPanel({ process, preview }: { readonly process: ImportProcess; readonly preview: ImportPreview }) {
  const { flow } = process;
  const { data: streams } = useOperation('streams.list', {});
  const hindrance = hindranceOf(flow);
  return (
    <aside className={`card ${styles.target}`} aria-label="Where the lines go">
      <Stack gap="md">
        <Title order={2}>Import into</Title>
        <AccountChoice target={flow.target} preview={preview} onChange={process.retarget} />
        <StreamChoice target={flow.target} streams={(streams ?? []).filter(holdsLines)} preview={preview} onChange={process.retarget} />
        <AccountLink target={flow.target} preview={preview} onChange={process.retarget} />
        <CurrencyField key={flow.target.key} target={flow.target} found={preview.result.currency} onChange={process.retarget} />
        {preview.result.recipe !== null && <RememberRecipe process={process} used={preview.result.recipe} />}
        <Consents process={process} result={preview.result} />
        <WriteButton
          size="md"
          leftSection={<IconFileImport size={18} aria-hidden />}
          disabled={hindrance !== null || flow.isRereading}
          loading={flow.isRereading}
          onClick={process.start}
          data-testid="import-confirm"
        >
          {isWithoutMovement(preview.result) ? 'Import the balances' : `Import ${counted(preview.result.kept, 'record')}`}
        </WriteButton>
        {hindrance !== null && (
          <Text size="sm" c="dimmed" aria-live="polite">
            {HINDRANCES[hindrance]}
          </Text>
        )}
        <Button variant="subtle" color="gray" size="sm" onClick={process.again}>
          Choose another file
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
      <Progress value={Math.max(progress.progress, 2)} animated aria-label="Reading the file again" mb={6} />
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
      label="Account in the file"
      description={`The file holds ${accounts.length} accounts.`}
      placeholder="Choose an account"
      data={[
        ...accounts.map((each) => ({ value: each.account, label: `${each.account} (${each.currency}, ${counted(each.rows, 'row')})` })),
        { value: ALL_ACCOUNTS, label: 'All accounts, into one stream' },
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
          aria-label="New or existing stream"
          value={target.mode}
          onChange={choose}
          data={[
            { value: 'new', label: 'New stream' },
            { value: 'existing', label: 'Existing stream' },
          ]}
          data-testid="stream-mode"
        />
      )}
      {target.mode === 'existing' && streams.length > 0 ? (
        <Select
          label="Stream"
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
      label="Currency"
      description={
        found === null
          ? 'Three letters, such as GBP'
          : `Read as ${found}. Another code counts where the file names none, or only a sign that fits it, such as $.`
      }
      placeholder={found ?? 'GBP'}
      value={target.currency}
      maxLength={3}
      error={
        target.currency !== '' && target.currency.length === 3 && !/^[A-Z]{3}$/.test(target.currency) ? 'Three letters, such as GBP' : null
      }
      onChange={(event) => onChange({ ...target, currency: event.currentTarget.value.toUpperCase().trim() })}
      data-testid="import-currency"
    />
  );
}

function Consents({ process, result }: { readonly process: ImportProcess; readonly result: ImportResult }) {
  const { consent } = process.flow;
  const isUnproved = isUnprovedPdf(result);
  if (result.rejected === 0 && result.proof !== 'broken' && !isUnproved && result.misfits.length === 0) return null;
  return (
    <Group bd="1px solid var(--open)" bdrs="md" p="sm" gap="sm">
      {result.misfits.length > 0 && (
        <Checkbox
          label="It is the right stream: import the file into it nevertheless"
          checked={consent.target}
          onChange={(event) => process.consent({ ...consent, target: event.currentTarget.checked })}
          data-testid="accept-target"
        />
      )}
      {result.rejected > 0 && (
        <Checkbox
          label={`Leave out the ${counted(result.rejected, 'row')} that cannot be read`}
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
              ? 'Import even though the file is cut off'
              : 'Import even though the balances do not agree'
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
        Balances go to the bank account “{accounts?.find(({ id }) => id === linkedId)?.name ?? linkedId}”.
      </Text>
    );
  }
  return (
    <>
      <Select
        label="Bank account"
        description="The statement's balances become those of this account."
        placeholder="None"
        data={[
          ...(accounts ?? []).map((account) => ({
            value: String(account.id),
            label: account.currency === null ? account.name : `${account.name} (${account.currency})`,
          })),
          { value: NEW_ACCOUNT, label: 'A new bank account' },
        ]}
        value={target.bankAccount === '' ? null : target.bankAccount}
        clearable
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
      label="Name of the bank account"
      value={name}
      maxLength={255}
      error={name.trim() === '' ? 'Name the account, or choose none above' : null}
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
        label="Name"
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
        label="Key"
        description="What rules and the command line call it"
        value={key}
        maxLength={100}
        error={
          isTaken
            ? 'This stream exists: the lines will be added to it'
            : isValid
              ? null
              : 'Letters a-z, digits and _ - . only, starting with a letter or digit'
        }
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
