import { Box, Button, Flex, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import {
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconFileTypeHtml,
  IconFileTypePdf,
  IconLockOpen,
  IconPackage,
  IconReceipt,
  IconSignature,
} from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { reasonsAgainst } from '../../../src-shared/contract/close/period-statement.ts';
import type { Call, Failure, PeriodSignOff } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/use-operation.ts';
import { saveFile } from '../../api/save-file.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Note, Pane } from '../../components/primitives.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { instantText } from '../../format/dates.ts';
import { unexplainedItems } from '../../format/close-steps.ts';
import { lineLabel, type Tone, withMinus } from '../../format/close-words.ts';
import { listText } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import { ToneBadge } from './state-badge.tsx';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

type SignKind = 'prepare' | 'review' | 'close' | 'reopen';

const DONE: Readonly<Record<SignKind, string>> = {
  prepare: say('close.done.prepare'),
  review: say('close.done.review'),
  close: say('close.done.close'),
  reopen: say('close.done.reopen'),
};

/** Signs the period. The reason for a refusal is shown at the button. */
function useSign(kind: SignKind) {
  const { client } = useConnection();
  const { period } = useClosing();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRunning, setRunning] = useState(false);

  function call(by: string, reason: string) {
    const { id } = period;
    switch (kind) {
      case 'prepare':
        return client.call('periods.prepare', { id, by });
      case 'review':
        return client.call('periods.review', { id, by });
      case 'close':
        return client.call('periods.close', { id, by, ...(reason === '' ? {} : { unexplained_reason: reason }) });
      case 'reopen':
        return client.call('periods.reopen', { id, by, reason });
    }
  }

  async function sign(by: string, reason: string): Promise<boolean> {
    setRunning(true);
    const answer = await call(by, reason);
    setRunning(false);
    setFailure(answer.ok ? null : answer.error);
    if (!answer.ok) return false;
    rememberSigner(kind, by);
    notifyDone(`${period.name} ${DONE[kind]}`);
    return true;
  }
  return { sign, failure, isRunning };
}

const DID: Readonly<Record<PeriodSignOff['kind'], string>> = {
  prepare: say('close.did.prepare'),
  review: say('close.did.review'),
  close: say('close.did.close'),
  reopen: say('close.did.reopen'),
};

const orUnknown = (minor: number | null, places: number): string =>
  minor === null ? say('close.signOffPanel.notKnown') : plainAmount(minor, places);

/** All signatures with the signed figures, the newest first. */
function SignHistory() {
  const { statement } = useClosing();
  const { sign_offs: list } = statement;
  if (list.length === 0) return null;
  return (
    <Box component="details" className="line-above small wrap" mx="var(--edge)" py={10} data-testid="sign-history">
      <summary>{say('close.signOffPanel.signOffsSoFar', { list: list.length })}</summary>
      <ol className="plain divided">
        {list
          .toSorted((left, right) => right.id - left.id)
          .map((signOff) => (
            <Box component="li" key={signOff.id} py={5} data-testid="sign-off-row">
              <Said
                words="close.signOffPanel.by"
                with={{ did: <b>{DID[signOff.kind]}</b>, by: signOff.by, moment: instantText(signOff.at) }}
              />
              {signOff.reason !== null && <p className="plain mid">“{signOff.reason}”</p>}
              {signOff.figures.map((figures) => (
                <p key={figures.currency} className="plain mid wrap">
                  {say('close.signOffPanel.andUnexplained', {
                    currency: figures.currency,
                    orUnknown: orUnknown(figures.adjusted_bank, figures.decimal_places),
                    orUnknown2: orUnknown(figures.adjusted_books, figures.decimal_places),
                    orUnknown3: orUnknown(figures.unexplained, figures.decimal_places),
                  })}
                </p>
              ))}
            </Box>
          ))}
      </ol>
    </Box>
  );
}

const NOT_YET = { text: say('close.notYet.text'), tone: 'quiet' } as const;
const GIVEN = { text: say('close.given.text'), tone: 'matched' } as const;
const STALE = { text: say('close.stale.text'), tone: 'open' } as const;

type Badge = { readonly text: string; readonly tone: Tone };

function badgeOf(by: string | null, stale: boolean): Badge {
  if (by === null) return NOT_YET;
  return stale ? STALE : GIVEN;
}

/** Returns a warning against signing now; null when there is none. A warning does not prevent signing. */
function useDoubt(): string | null {
  const { statement, statusExplains } = useClosing();
  const { unexplained_item_count: bare } = statement;
  const [first] = unexplainedItems(statement, statusExplains);
  if (bare === 0 || first === undefined) return null;
  return bare === 1
    ? say('close.signOffPanel.hasNoCommentYet', { line: lineLabel(first) })
    : say('close.signOffPanel.itemsHaveNoComment', { bare });
}

/** The signatures of a period, and its report. */
export function SignOffPanel() {
  return (
    <Pane kind="aside" className="column" aria-label={say('close.signOffPanel.signOff')} data-testid="sign-off">
      <Box component="h2" className="mid small" m={0} px="var(--edge)" pt="md" pb="xs">
        {say('close.signOffPanel.signOff')}
      </Box>
      <Prepared />
      <Reviewed />
      <Closed />
      <SignHistory />
      <ReportButtons />
    </Pane>
  );
}

function Prepared() {
  const { period } = useClosing();
  const doubt = useDoubt();
  const isDue = period.state === 'open' || (period.stale && period.state !== 'closed');
  return (
    <Signature
      title={say('close.signOffPanel.preparedBy')}
      badge={badgeOf(period.prepared_by, period.stale)}
      by={period.prepared_by}
      at={period.prepared_at}
      testId="prepared"
    >
      {isDue && (
        <SignatureForm
          kind="prepare"
          button={period.stale ? say('close.signOffPanel.prepareAgain') : say('close.signOffPanel.markAsPrepared')}
          doubt={doubt}
          suggested={period.prepared_by}
          isNext
        />
      )}
    </Signature>
  );
}

function Reviewed() {
  const { period } = useClosing();
  const isDue = period.state === 'prepared' && !period.stale;
  return (
    <Signature
      title={say('close.signOffPanel.reviewedBy')}
      badge={badgeOf(period.reviewed_by, period.stale)}
      by={period.reviewed_by}
      at={period.reviewed_at}
      testId="reviewed"
    >
      {period.reviewed_by === null && <p className="plain mid small">{say('close.signOffPanel.theReviewerIsNever')}</p>}
      {isDue && <SignatureForm kind="review" button={say('close.signOffPanel.markAsReviewed')} isNext />}
    </Signature>
  );
}

function Closed() {
  const { period, statement } = useClosing();
  const [isReopening, setReopening] = useState(false);
  const isClosed = period.state === 'closed';
  const isDue = period.state === 'reviewed' && !period.stale;
  const reasons = reasonsAgainst(statement.undone, { isOneCurrency: statement.currencies.length === 1 });
  const reason = reasons.length === 0 ? '' : withMinus(say('close.signOffPanel.whyItIsClosed', { doubts: listText(reasons) }));
  const badge: Badge = isClosed ? badgeOf(period.closed_by, period.stale) : { text: say('close.signOffPanel.open'), tone: 'quiet' };
  return (
    <Signature
      title={say('close.signOffPanel.closed')}
      badge={isClosed && !period.stale ? { ...badge, text: say('close.signOffPanel.closed') } : badge}
      by={period.closed_by}
      at={period.closed_at}
      testId="closed"
    >
      {!isClosed && <p className="plain mid small">{say('close.signOffPanel.closingLocksNoImport', { name: period.name })}</p>}
      {isDue && (
        <SignatureForm
          kind="close"
          button={say('close.signOffPanel.close', { name: period.name })}
          isNext
          {...(reason === '' ? {} : { reasonLabel: reason })}
        />
      )}
      {isClosed && !isReopening && (
        <Button
          variant="default"
          fullWidth
          mt="xs"
          leftSection={<IconLockOpen size={16} aria-hidden />}
          onClick={() => setReopening(true)}
          data-testid="reopen"
        >
          {say('close.signOffPanel.reopenDots')}
        </Button>
      )}
      {isClosed && isReopening && (
        <SignatureForm
          kind="reopen"
          button={say('close.signOffPanel.reopenNamed', { name: period.name })}
          reasonLabel={say('close.signOffPanel.reason')}
        />
      )}
    </Signature>
  );
}

/** Saves the report of the period in a chosen format. */
function ReportButtons() {
  const { period } = useClosing();
  const { make, making, failure } = useReport();
  useShortcuts({ p: () => void make('pack') });
  const button = (format: ReportFormat, label: string, icon: ReactNode, hint?: ReactNode): ReactNode => (
    <Button
      variant="default"
      justify="flex-start"
      styles={{ label: { flex: 1 } }}
      fullWidth
      leftSection={icon}
      rightSection={hint}
      loading={making === format}
      disabled={making !== null && making !== format}
      onClick={() => void make(format)}
      aria-keyshortcuts={format === 'pack' ? 'P' : undefined}
      data-testid={`report-${format}`}
    >
      {label}
    </Button>
  );
  return (
    <Stack className="line-above" gap={6} mt="auto" px="var(--edge)" py="md" data-testid="reports">
      <h2 className="plain mid small">{say('close.signOffPanel.report')}</h2>
      <SimpleGrid cols={2} spacing={6}>
        {button('pdf', 'PDF', <IconFileTypePdf size={16} aria-hidden />)}
        {button('xlsx', 'XLSX', <IconFileSpreadsheet size={16} aria-hidden />)}
      </SimpleGrid>
      {button('pack', say('close.signOffPanel.closePack'), <IconPackage size={16} aria-hidden />, <KeyHint keys="P" />)}
      <SimpleGrid cols={2} spacing={6}>
        {button('html', 'HTML', <IconFileTypeHtml size={16} aria-hidden />)}
        {button('csv', 'CSV', <IconFileTypeCsv size={16} aria-hidden />)}
      </SimpleGrid>
      {button('journal', say('close.signOffPanel.journal'), <IconReceipt size={16} aria-hidden />)}
      {making !== null && (
        <p className="plain mid small" aria-live="polite">
          {say('close.signOffPanel.theReportIsBeingMade')}
        </p>
      )}
      {failure !== null && (
        <Note tone="broken" role="alert" data-testid="report-failure">
          {failure}
        </Note>
      )}
      <p className="plain mid small">
        {period.state === 'closed'
          ? say('close.signOffPanel.thePackReAdds')
          : say('close.signOffPanel.theDraftPackReAdds', { name: period.name })}
      </p>
    </Stack>
  );
}

interface SignatureFormProps {
  readonly kind: SignKind;
  readonly button: string;
  /** Label of the field for a reason; without it the form asks for none. */
  readonly reasonLabel?: string;
  /** A warning against signing, which does not prevent it. */
  readonly doubt?: string | null;
  readonly isNext?: boolean;
  /** The name to suggest when no earlier one is remembered. */
  readonly suggested?: string | null;
}

/** The name field and the button of a signature. The reason for a refusal appears below the button. */
function SignatureForm({ kind, button, reasonLabel, doubt, isNext, suggested }: SignatureFormProps) {
  const [by, setBy] = useState(() => lastSigner(kind) || (suggested ?? ''));
  const [reason, setReason] = useState('');
  const { sign, failure, isRunning } = useSign(kind);
  const whyId = useId();
  const isReady = by.trim() !== '' && (reasonLabel === undefined || /\p{L}/u.test(reason));
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady) void sign(by.trim(), reason.trim());
  }
  return (
    <form onSubmit={submit}>
      <Stack gap={6} mt={6}>
        <TextInput
          label={say('close.signOffPanel.yourName')}
          value={by}
          maxLength={200}
          autoComplete="name"
          onChange={(event) => setBy(event.currentTarget.value)}
          data-sign-next={isNext || undefined}
          data-testid={`${kind}-name`}
        />
        {reasonLabel !== undefined && (
          <Textarea
            label={reasonLabel}
            rows={2}
            value={reason}
            maxLength={1000}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-testid={`${kind}-reason`}
          />
        )}
        <WriteButton
          type="submit"
          variant={doubt === undefined || doubt === null ? 'filled' : 'default'}
          leftSection={<IconSignature size={16} aria-hidden />}
          loading={isRunning}
          disabled={!isReady}
          aria-describedby={failure === null ? undefined : whyId}
          data-testid={`sign-${kind}`}
        >
          {button}
        </WriteButton>
        {failure !== null && (
          <Note tone="broken" id={whyId} role="alert" data-testid={`refused-${kind}`}>
            {failure.message}
          </Note>
        )}
        {failure === null && doubt !== undefined && doubt !== null && <Note>{doubt}</Note>}
      </Stack>
    </form>
  );
}

interface SignatureProps {
  readonly title: string;
  readonly badge: { readonly text: string; readonly tone: Tone };
  readonly by: string | null;
  readonly at: string | null;
  readonly children?: ReactNode;
  readonly testId: string;
}

/** One signature: its signer, its time, and the next action. */
function Signature({ title, badge, by, at, children, testId }: SignatureProps) {
  return (
    <Box className="line-above small wrap" mx="var(--edge)" py={10} data-testid={testId}>
      <Flex gap="sm" align="center" justify="space-between" fz="sm">
        <b>{title}</b>
        <ToneBadge {...badge} />
      </Flex>
      {by !== null && (
        <p className="plain mid small">
          {by}
          {at === null ? '' : `, ${instantText(at)}`}
        </p>
      )}
      {children}
    </Box>
  );
}

type ReportFormat = NonNullable<Call<'periods.report'>['format']>;

/** Creates a report and saves it as a file, one report at a time. */
function useReport() {
  const { client } = useConnection();
  const { period, statement } = useClosing();
  const [making, setMaking] = useState<ReportFormat | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // A ref, because a key can arrive before React has rendered the end of the previous report.
  const isMaking = useRef(false);
  async function make(format: ReportFormat): Promise<void> {
    if (isMaking.current) return;
    isMaking.current = true;
    setMaking(format);
    setFailure(null);
    const answer = await client.call('periods.report', { id: period.id, format, currency: statement.currency });
    isMaking.current = false;
    setMaking(null);
    if (answer.ok) saveFile(answer.value);
    else setFailure(answer.error.message);
  }
  return { make, making, failure };
}

type SignerRole = 'prepare' | 'review' | 'close' | 'reopen';

const keyOf = (signature: SignerRole): string => `tieout-signed-${signature}`;

/** Returns the name that last gave this signature on this machine; empty when there is none or the storage is not available. */
function lastSigner(signature: SignerRole): string {
  try {
    return localStorage.getItem(keyOf(signature)) ?? '';
  } catch {
    return '';
  }
}

function rememberSigner(signature: SignerRole, name: string): void {
  try {
    localStorage.setItem(keyOf(signature), name);
  } catch {
    // The storage is not available, so the window asks again.
  }
}
