import { Alert, Badge, Button, Collapse, Group, List, Radio, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconCircleDashed, IconShieldCheck } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useAnswer } from '../../api/use-operation.ts';
import { isUnprovedPdf } from '../../../src-shared/contract/imports/imports.ts';
import type {
  BalanceOutcome,
  ImportedBalances,
  ImportPreview,
  ImportRecipe,
  ImportResult,
  Misfit,
  Problem,
} from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { NoPages, PdfPages } from '../../components/pdf-pages.tsx';
import { Facts, TextButton } from '../../components/primitives.tsx';
import { Said } from '../../components/said.tsx';
import { BALANCE_LABELS, balancesSentence } from '../../format/balances.ts';
import { bytesText, countText } from '../../format/counts.ts';
import { dateRangeText } from '../../format/dates.ts';
import { PROOF_LABELS, proofSentence } from '../../format/proofs.ts';
import { encodingText, gravestFirst, sheetsText, understoodText, weightOf } from '../../format/table-words.ts';
import { plainWords } from '../../format/words.ts';
import { blankRecipe, hasChoice, unreadableBecause } from '../../state/import-flow.ts';
import styles from './import.module.css';
import { Questions } from './open-questions.tsx';
import { type RowsOnPages, RowsPager, RowsTable } from './rows-table.tsx';
import { ColumnsTable, RecipeBar, RecipeControls, RecipeFault, TableControls } from './table-controls.tsx';
import { TargetPanel } from './target-panel.tsx';
import type { ImportProcess } from './use-import.ts';

const WEIGHTS = {
  note: { color: 'gray', label: say('imports.weights.note.label') },
  rejected: { color: 'orange', label: say('imports.weights.rejected.label') },
  fatal: { color: 'red', label: say('imports.weights.fatal.label') },
  broken: { color: 'red', label: say('imports.weights.broken.label') },
} as const;

interface ProblemListProps {
  readonly result: ImportResult;
  /** Shows a row on its page; null where nothing has pages. */
  readonly onShow: ((row: number) => void) | null;
}

/** The problems of the file with their places, the most serious first. */
function ProblemList({ result, onShow }: ProblemListProps) {
  const first = useRef<HTMLTableRowElement>(null);
  if (result.problems.length === 0) return null;
  const sorted = gravestFirst(result.problems);
  return (
    <section aria-labelledby="problems-heading" data-testid="import-problems">
      <Group justify="space-between" gap="6px 16px" mb="xs">
        <Title order={2} id="problems-heading">
          {say('imports.previewStep.thingsToLookAt', { problemsTotal: result.problems_total })}
        </Title>
        <Button variant="subtle" size="compact-sm" onClick={() => first.current?.focus()}>
          {say('imports.previewStep.goToTheFirst')}
        </Button>
      </Group>
      <div className="card">
        <TableFrame least={480} highest={260}>
          <FigureTable
            columns={[
              { head: say('imports.previewStep.row'), isFigure: true },
              { head: say('imports.previewStep.column') },
              { head: say('imports.previewStep.what') },
              { head: say('imports.previewStep.weight') },
            ]}
            isWrapping
            isFitted
          >
            <tbody>
              {sorted.map((problem, index) => (
                <tr
                  key={`${problem.row ?? ''} ${problem.column ?? ''} ${problem.code} ${problem.message}`}
                  ref={index === 0 ? first : null}
                  tabIndex={index === 0 ? 0 : undefined}
                >
                  <td className="amount">
                    {problem.row === null || onShow === null ? (problem.row ?? '–') : <ShowRow row={problem.row} onShow={onShow} />}
                  </td>
                  <td>{problem.column ?? '–'}</td>
                  <td>{problem.message}</td>
                  <td>
                    <Badge color={WEIGHTS[weightOf(problem)].color}>{WEIGHTS[weightOf(problem)].label}</Badge>
                  </td>
                </tr>
              ))}
            </tbody>
          </FigureTable>
        </TableFrame>
      </div>
      {result.problems_total > sorted.length && (
        <Text size="xs" c="dimmed" mt={4}>
          {say('imports.previewStep.theFirstAreListed', { sorted: sorted.length })}
        </Text>
      )}
    </section>
  );
}

function ShowRow({ row, onShow }: { readonly row: number; readonly onShow: (row: number) => void }) {
  return (
    <TextButton aria-label={say('imports.pages.showRow', { row })} onClick={() => onShow(row)}>
      {row}
    </TextButton>
  );
}

const LOOKS = {
  proved: { color: 'pine', Icon: IconShieldCheck },
  unproved: { color: 'gray', Icon: IconCircleDashed },
  broken: { color: 'red', Icon: IconAlertTriangle },
} as const;

/** Totals, balances and their proof in words. */
function Figures({ result }: { readonly result: ImportResult }) {
  const { currency, decimal_places: scale } = result;
  const { color, Icon } = LOOKS[result.proof];
  const money = (minor: number | null): ReactNode =>
    minor === null ? '–' : <Amount minor={minor} currency={currency} decimalPlaces={scale} />;
  return (
    <Stack component="section" gap="sm" aria-label={say('imports.previewStep.totalsAndProof')}>
      <Facts
        className="card"
        layout="cards"
        facts={[
          { name: say('imports.previewStep.dates'), value: dateRangeText(result.date_range_start, result.date_range_end) || '–' },
          { name: say('imports.previewStep.openingBalance'), value: money(result.opening_balance) },
          { name: say('imports.previewStep.moneyIn'), value: perCurrency(result, (total) => total.credits) },
          { name: say('imports.previewStep.moneyOut'), value: perCurrency(result, (total) => -total.debits) },
          { name: say('imports.previewStep.closingBalance'), value: money(result.closing_balance) },
        ]}
      />
      {isUnprovedPdf(result) ? (
        <Alert
          color="orange"
          icon={<IconAlertTriangle size={20} aria-hidden />}
          title={say('imports.unproved.title')}
          data-testid="import-proof"
        >
          <Text size="sm">{say('imports.unproved.sentence')}</Text>
        </Alert>
      ) : (
        <Alert color={color} icon={<Icon size={20} aria-hidden />} title={PROOF_LABELS[result.proof]} data-testid="import-proof">
          <Text size="sm">{proofSentence(result)}</Text>
        </Alert>
      )}
    </Stack>
  );
}

/** Returns one amount per currency. A sum over several currencies would mean nothing. */
function perCurrency({ totals }: ImportResult, minorOf: (total: ImportResult['totals'][number]) => number): ReactNode {
  if (totals.length === 0) return '–';
  return totals.map((total) => (
    <div key={total.currency}>
      <Amount minor={minorOf(total)} currency={total.currency} decimalPlaces={total.decimal_places} />
    </div>
  ));
}

const OUTCOMES: Readonly<Record<BalanceOutcome, { readonly color: string; readonly label: string }>> = {
  new: { color: 'pine', label: say('imports.outcomes.new.label') },
  same: { color: 'gray', label: say('imports.outcomes.same.label') },
  conflict: { color: 'red', label: say('imports.outcomes.conflict.label') },
  unlinked: { color: 'gray', label: say('imports.outcomes.unlinked.label') },
  other_currency: { color: 'orange', label: say('imports.outcomes.otherCurrency.label') },
};

/** The balances of the statement, and how the account takes them. */
function BalancesPanel({ balances }: { readonly balances: ImportedBalances }) {
  if (balances.stated === 0) return null;
  return (
    <section aria-labelledby="balances-heading" data-testid="import-balances">
      <Title order={2} id="balances-heading" mb="xs">
        {say('imports.previewStep.balancesOfTheBank')}
      </Title>
      <Text size="sm" mb="xs">
        {balancesSentence(balances)}
      </Text>
      <div className="card">
        <TableFrame least={480} highest={220} tabIndex={0} aria-label={say('imports.previewStep.balancesOfTheBank')}>
          <FigureTable
            columns={[
              { head: say('imports.previewStep.date') },
              { head: say('imports.previewStep.balance') },
              { head: say('imports.previewStep.amount'), isFigure: true },
              { head: say('imports.previewStep.state') },
            ]}
            isWrapping
            isFitted
            isSticky
          >
            <tbody>
              {balances.items.map((item) => (
                <Row key={`${item.date} ${item.balance_type}`} item={item} />
              ))}
            </tbody>
          </FigureTable>
        </TableFrame>
      </div>
      {balances.stated > balances.items.length && (
        <Text size="xs" c="dimmed" mt={4}>
          {say('imports.previewStep.theFirstOfAreListed', { items: balances.items.length, stated: balances.stated })}
        </Text>
      )}
    </section>
  );
}

function Row({ item }: { readonly item: ImportedBalances['items'][number] }) {
  const { color, label } = OUTCOMES[item.outcome];
  const { currency, decimal_places: decimalPlaces } = item;
  return (
    <tr>
      <td>
        <Day iso={item.date} />
      </td>
      <td>{BALANCE_LABELS[item.balance_type]}</td>
      <td className="amount">
        <Amount minor={item.amount} currency={currency} decimalPlaces={decimalPlaces} />
      </td>
      <td>
        <Badge color={color}>{label}</Badge>
        {item.outcome === 'conflict' && item.existing_amount !== null && (
          <Text size="xs" c="red">
            <Said
              words="imports.previewStep.stays"
              with={{ amount: <Amount minor={item.existing_amount} currency={currency} decimalPlaces={decimalPlaces} /> }}
            />
          </Text>
        )}
      </td>
    </tr>
  );
}

/** The preview of a file beside its target. */
export function PreviewStep({ process, preview }: { readonly process: ImportProcess; readonly preview: ImportPreview }) {
  const { isRereading } = process.flow;
  const isUnread = unreadableBecause(preview) !== null;
  const [choice, setChoice] = useState<{ readonly row: number } | null>(null);
  const choose = (row: number): void => setChoice({ row });
  const beside = useRef<HTMLDivElement>(null);
  const { pages } = preview;
  return (
    <div className={isUnread ? undefined : styles.preview} data-testid="import-preview">
      <Stack gap="lg" miw={0} aria-busy={isRereading} className={`${styles.read} ${isRereading ? styles.rereading : ''}`}>
        {!isUnread && (
          <Understood
            process={process}
            preview={preview}
            onShow={(row) => {
              choose(row);
              beside.current?.scrollIntoView({ block: 'nearest' });
            }}
          />
        )}
        <Reading process={process} preview={preview} isUnread={isUnread} />
        <FileFacts preview={preview} />
      </Stack>
      {!isUnread && <TargetPanel process={process} preview={preview} />}
      {!isUnread && pages !== null && (
        <div className={styles.beside} ref={beside}>
          <FirstRows preview={preview} process={process} onPages={{ chosen: choice?.row ?? null, onChoose: choose }} />
          <PagesBeside process={process} pages={pages} chosen={choice} onChoose={choose} />
        </div>
      )}
    </div>
  );
}

interface PagesBesideProps extends Pick<RowsOnPages, 'onChoose'> {
  readonly chosen: { readonly row: number } | null;
  readonly process: ImportProcess;
  readonly pages: NonNullable<ImportPreview['pages']>;
}

/** The pages of the file beside its rows. */
function PagesBeside({ process, pages, chosen, onChoose }: PagesBesideProps) {
  const { file, password } = process.flow;
  const document = useAnswer('imports.document', { file_token: file?.token ?? '' });
  if (document.isError) return <NoPages>{document.error.message}</NoPages>;
  if (document.data === undefined) return <Skeleton height={480} radius="lg" />;
  return <PdfPages content={document.data.content} password={password} {...pages} chosen={chosen} onChoose={onChoose} />;
}

interface UnderstoodProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
  /** Shows a row on its page. */
  readonly onShow: (row: number) => void;
}

function Understood({ process, preview, onShow }: UnderstoodProps) {
  const { result, pages } = preview;
  return (
    <>
      <Text size="sm" aria-live="polite">
        <Said
          words="imports.previewStep.understoodNewAlreadyInTheAccount"
          with={{
            understood: <b>{understoodText(result.rows, preview.sheets)}</b>,
            kept: countText(result.kept),
            skipped: countText(result.skipped),
            rejected: countText(result.rejected),
          }}
        />
      </Text>
      {result.recipe !== null && <RecipeBar process={process} used={result.recipe} />}
      <Mismatches mismatches={result.misfits} />
      <OtherCurrency process={process} problems={result.problems} />
      <Questions process={process} questions={result.questions} overlapping={result.overlap.length} />
      {result.batches !== null && <BatchLines batches={result.batches} process={process} />}
      <Figures result={result} />
      <BalancesPanel balances={result.balances} />
      <ProblemList result={result} onShow={pages === null ? null : onShow} />
      {pages === null && <FirstRows preview={preview} process={process} onPages={null} />}
    </>
  );
}

interface ReadingProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
  readonly isUnread: boolean;
}

/** The settings by which a table is read, and the role of each column. */
function Reading({ process, preview, isUnread }: ReadingProps) {
  const { flow } = process;
  if (preview.head.length === 0 && !hasChoice(preview.sheets)) return null;
  const recipe = flow.recipe ?? preview.result.recipe?.recipe ?? blankRecipe(preview, flow.table?.sheet ?? null);
  const edit = (edited: ImportRecipe): void => process.readBy({ recipe: edited });
  return (
    <>
      <HowRead process={process} preview={preview} recipe={recipe} isUnread={isUnread} />
      {isUnread && <RecipeFault recipe={flow.recipe} />}
      {recipe !== null && preview.columns.length > 1 && <ColumnsTable columns={preview.columns} recipe={recipe} onChange={edit} />}
    </>
  );
}

interface BatchLinesProps {
  readonly batches: NonNullable<ImportResult['batches']>;
  readonly process: ImportProcess;
}

/** Chooses between entries and their single transactions. The import stores the choice in the stream. */
function BatchLines({ batches: { entries, parts, lines }, process }: BatchLinesProps) {
  const holds =
    entries === 1
      ? say('imports.previewStep.oneEntryHoldsTransactions', { parts })
      : say('imports.previewStep.entriesHoldTransactions', { entries, parts });
  return (
    <Radio.Group
      label={say('imports.previewStep.whichAddUpToThem', { holds, entries })}
      description={say('imports.previewStep.theAccountKeepsThisForItsNextFiles')}
      className={styles.first}
      value={lines}
      onChange={(value) => process.readBy({ answers: { batch_lines: value === 'parts' ? 'parts' : 'entry' } })}
      data-testid="batch-lines"
    >
      <Stack gap="xs" mt="xs">
        <Radio value="entry" label={say('imports.previewStep.oneLineForEachEntry')} data-testid="batch-lines-entry" />
        <Radio value="parts" label={say('imports.previewStep.aLineForEachTransaction')} data-testid="batch-lines-parts" />
      </Stack>
    </Radio.Group>
  );
}

/** Facts about the file. The settings of a table are beside its controls. */
function FileFacts({ preview }: { readonly preview: ImportPreview }) {
  const { dialect, file, result, sheets } = preview;
  const isTable = preview.head.length > 0;
  const facts: readonly (readonly [string, string])[] = [
    [say('imports.previewStep.name'), `${file.name}, ${bytesText(file.byte_length)}`],
    [say('imports.previewStep.format'), result.format],
    ...(hasChoice(sheets) ? ([[say('imports.previewStep.sheets'), sheetsText(sheets)]] as const) : []),
    ...(isTable || dialect.encoding === '' ? [] : ([[say('imports.previewStep.encoding'), encodingText(dialect.encoding)]] as const)),
    ...(dialect.sign_model === '' ? [] : ([[say('imports.previewStep.signs'), plainWords(dialect.sign_model)]] as const)),
  ];
  return (
    <section aria-labelledby="facts-heading">
      <Title order={2} id="facts-heading" mb="xs">
        {say('imports.previewStep.theFile')}
      </Title>
      <Facts className="card" layout="cards" facts={facts.map(([name, value]) => ({ name, value }))} />
    </section>
  );
}

type Shown = 'first' | 'skipped' | 'rejected';

interface FirstRowsProps {
  readonly preview: ImportPreview;
  readonly process: ImportProcess;
  readonly onPages: RowsOnPages | null;
}

/** Returns whether a row belongs to the open question about lines that may be here already. */
function askedIn({ questions, overlap }: ImportPreview['result']): (row: { readonly row: number; readonly occurrence: number }) => boolean {
  if (!questions.some(({ about }) => about === 'overlap')) return () => false;
  const keyOf = ({ row, occurrence }: { readonly row: number; readonly occurrence: number }): string => `${row} ${occurrence}`;
  const asked = new Set(overlap.map(keyOf));
  return (row) => asked.has(keyOf(row));
}

/** The first rows that will be imported, and all rows that will not. */
function FirstRows({ preview, process, onPages }: FirstRowsProps) {
  const { rows, result } = preview;
  const [chosen, setChosen] = useState<Shown>('first');
  const { jobId } = process.flow;
  if (rows.length === 0) return null;
  const decisions = { onDecide: process.decide, onTakeBack: process.takeBack };
  const views = [
    { value: 'first', label: say('imports.previewStep.firstRows') },
    ...(result.skipped === 0
      ? []
      : [{ value: 'skipped', label: say('imports.previewStep.skipped', { skipped: countText(result.skipped) }) }]),
    ...(result.rejected === 0
      ? []
      : [{ value: 'rejected', label: say('imports.previewStep.notReadable', { rejected: countText(result.rejected) }) }]),
  ];
  const shown = views.some(({ value }) => value === chosen) ? chosen : 'first';
  return (
    <section aria-labelledby="rows-heading">
      <Group justify="space-between" gap="6px 16px" mb="xs">
        <Title order={2} id="rows-heading">
          {shown === 'first' ? say('imports.previewStep.firstRows') : say('imports.previewStep.rowsThatDoNotGoIn')}
        </Title>
        {views.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={say('imports.previewStep.rowsOnShow')}
            data={views}
            value={shown}
            onChange={(value) => setChosen(value === 'skipped' || value === 'rejected' ? value : 'first')}
            data-testid="rows-view"
          />
        )}
      </Group>
      {shown === 'first' || jobId === null ? (
        <RowsTable
          label={say('imports.previewStep.firstRows')}
          rows={rows}
          currency={result.currency}
          decisions={decisions}
          isAsked={askedIn(result)}
          onPages={onPages}
        />
      ) : (
        <RowsPager
          key={shown}
          label={say('imports.previewStep.rowsThatDoNotGoIn')}
          jobId={jobId}
          outcome={shown}
          currency={result.currency}
          pending={[]}
          decisions={decisions}
        />
      )}
    </section>
  );
}

interface HowReadProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
  /** The recipe in use or being edited; null while the columns are unknown. */
  readonly recipe: ImportRecipe | null;
  /** Whether the table cannot be read with these settings. */
  readonly isUnread: boolean;
}

/** The settings by which the table is read, all of which can be changed and reset. */
function HowRead({ process, preview, recipe, isUnread }: HowReadProps) {
  const { flow } = process;
  const isByHand =
    flow.recipe !== null || flow.table !== null || flow.kept !== 'ask' || Object.keys(flow.answers).length > 0 || flow.anyCurrency;
  return (
    <section aria-labelledby="how-heading" data-testid="how-read">
      <Group justify="space-between" gap="6px 16px" mb="xs">
        <Title order={2} id="how-heading">
          {isUnread ? say('imports.previewStep.howTheFileIsToBeRead') : say('imports.previewStep.howTheFileWasRead')}
        </Title>
        <Group gap="xs">
          {isByHand && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconArrowBackUp size={15} aria-hidden />}
              onClick={process.readAsFound}
              data-testid="as-found"
            >
              {say('imports.previewStep.readItAsFound')}
            </Button>
          )}
          {isUnread && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={process.again} data-testid="another-file">
              {say('imports.previewStep.chooseAnotherFile')}
            </Button>
          )}
        </Group>
      </Group>
      {flow.failure?.isOfReading === true && (
        <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />} mb="sm" role="alert" data-testid="reading-failure">
          <Text size="sm">{flow.failure.message}</Text>
          {isUnread && <Text size="sm">{say('imports.previewStep.orSayHereHowItIsToBeRead')}</Text>}
        </Alert>
      )}
      <div className={`card ${styles.recipeFacts}`} data-testid="recipe-facts">
        <TableControls process={process} preview={preview} />
        {recipe !== null && !isUnread && <RecipeControls recipe={recipe} onChange={(edited) => process.readBy({ recipe: edited })} />}
      </div>
      <FirstLines key={String(isUnread)} preview={preview} isOpen={isUnread} />
    </section>
  );
}

interface FirstLinesProps {
  readonly preview: Pick<ImportPreview, 'head' | 'dialect'>;
  /** Whether the rows are visible at first. */
  readonly isOpen: boolean;
}

/** The first rows of the file as cells. The header is marked. */
function FirstLines({ preview: { head, dialect }, isOpen: isOpenAtFirst }: FirstLinesProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const width = head.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  if (head.length === 0) return null;
  return (
    <div data-testid="first-lines">
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        aria-expanded={isOpen}
        aria-controls="first-lines"
        onClick={() => setOpen(!isOpen)}
        data-testid="show-first-lines"
      >
        {isOpen
          ? say('imports.previewStep.hideTheFirstRows', { head: head.length })
          : say('imports.previewStep.showTheFirstRows', { head: head.length })}
      </Button>
      <Collapse expanded={isOpen} id="first-lines">
        <div className="card">
          <TableFrame least={320} highest={320} tabIndex={0} aria-label={say('imports.previewStep.firstRowsOfTheFile')}>
            <FigureTable columns={Array.from({ length: width + 2 }, () => ({}))} isWrapping isFitted className={styles.firstLines}>
              <tbody>
                {head.map(({ row, cells }) => (
                  <tr key={row} data-header={row === dialect.header_row || undefined}>
                    <th scope="row" className="amount">
                      {row}
                    </th>
                    <td>{row === dialect.header_row && <Badge size="xs">{say('imports.previewStep.header')}</Badge>}</td>
                    {Array.from({ length: width }, (_, index) => (
                      <td key={index}>
                        <div className="truncate" title={cells[index]}>
                          {cells[index] ?? ''}
                        </div>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </FigureTable>
          </TableFrame>
        </div>
        {width === 1 && (
          <Text size="xs" c="dimmed" mt={4}>
            {say('imports.previewStep.everyRowHasOneCell')}
          </Text>
        )}
      </Collapse>
    </div>
  );
}

/** The reasons why the file may not belong in the chosen stream. The user accepts them beside the import button. */
function Mismatches({ mismatches }: { readonly mismatches: readonly Misfit[] }) {
  if (mismatches.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={say('imports.previewStep.theFileDoesNotSeemToBelong')}
      data-testid="misfits"
    >
      <List size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {mismatches.map(({ about, message }) => (
          <List.Item key={about}>{message}</List.Item>
        ))}
      </List>
      <Text size="sm">{say('imports.previewStep.chooseAnotherAccountOrSay')}</Text>
    </Alert>
  );
}

interface OtherCurrencyProps {
  readonly process: ImportProcess;
  readonly problems: readonly Problem[];
}

/** Warns of a file or of rows in another currency than the stream's, and offers to import them nevertheless. */
function OtherCurrency({ process, problems }: OtherCurrencyProps) {
  const whole = problems.find(({ code }) => code === 'wrong_currency');
  const rows = problems.filter(({ code }) => code === 'other_currency').length;
  if (whole === undefined && rows === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={
        whole === undefined ? say('imports.previewStep.someRowsAreInAnotherCurrency') : say('imports.previewStep.fileIsInAnotherCurrency')
      }
      data-testid="other-currency"
    >
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {whole?.message ?? say('imports.previewStep.rowsStayOutAsThingsStand', { rows })}
      </Text>
      <Button size="compact-sm" variant="default" onClick={process.takeAnyCurrency} data-testid="any-currency">
        {whole === undefined ? say('imports.previewStep.importTheseRowsAsWell') : say('imports.previewStep.importItNevertheless')}
      </Button>
    </Alert>
  );
}
