import { Alert, Badge, Button, Checkbox, Group, NumberInput, Select, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight, IconBook2, IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { RECIPE_LIMITS } from '../../../src-shared/contract/imports/import-recipes.ts';
import type { ColumnRole, ImportPreview, ImportRecipe, OpenQuestion, TableByHand, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { Said } from '../../components/said.tsx';
import { delimiterChoices, encodingChoices, headerChoices, NO_HEADER, OTHER_DELIMITER, sheetChoices } from '../../format/table-words.ts';
import { dateOrderText, decimalMarkText, ROLE_LABELS, SIGN_MODEL_LABELS } from '../../format/words.ts';
import { hasChoice, recipeFault, signModelsOf, tableWith, withRole } from '../../state/import-flow.ts';
import type { ImportProcess } from './use-import.ts';

interface TableControlsProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
}

/** Says where the table of the file is. Each change reads its columns again. */
export function TableControls({ process, preview }: TableControlsProps) {
  const { flow } = process;
  const { dialect, head, sheets } = preview;
  const set = (change: TableByHand): void => process.readBy({ table: tableWith(flow, preview, change) });
  const headerRow = flow.table?.header_row === undefined ? dialect.header_row : flow.table.header_row;
  const encoding = flow.table?.encoding ?? dialect.encoding;
  return (
    <>
      {hasChoice(sheets) && <Sheet sheets={sheets} onChange={(sheet) => process.readBy({ table: { sheet } })} />}
      {encoding !== '' && (
        <Select
          label={say('imports.tableControls.encoding')}
          data={encodingChoices(encoding)}
          value={encoding}
          allowDeselect={false}
          searchable
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          onChange={(value) => value !== null && value !== encoding && set({ encoding: value })}
          data-testid="table-encoding"
        />
      )}
      {encoding !== '' && <Delimiter used={flow.table?.delimiter ?? dialect.delimiter} onChange={(delimiter) => set({ delimiter })} />}
      <Select
        label={say('imports.tableControls.header')}
        data={headerChoices(head, headerRow)}
        value={headerRow === null ? NO_HEADER : String(headerRow)}
        allowDeselect={false}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(value) => value !== null && set({ header_row: value === NO_HEADER ? null : Number(value) })}
        data-testid="table-header"
      />
    </>
  );
}

interface SheetProps {
  readonly sheets: ImportPreview['sheets'];
  readonly onChange: (sheet: string) => void;
}

/** Chooses the sheet. Settings of one sheet do not apply to another. */
function Sheet({ sheets, onChange }: SheetProps) {
  const place = sheets.findIndex(({ is_read: isRead }) => isRead);
  return (
    <Select
      label={say('imports.tableControls.sheet')}
      data={sheetChoices(sheets)}
      value={place < 0 ? null : String(place)}
      placeholder={say('imports.tableControls.chooseASheet')}
      allowDeselect={false}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(value) => {
        const chosen = sheets[Number(value)];
        if (value !== null && chosen !== undefined && !chosen.is_read) onChange(chosen.name);
      }}
      data-testid="table-sheet"
    />
  );
}

/** Focuses a field that the user has just opened. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

function Delimiter({ used, onChange }: { readonly used: string; readonly onChange: (delimiter: string) => void }) {
  const [isTyped, setTyped] = useState(false);
  function choose(value: string | null): void {
    if (value === null || value === used) return;
    setTyped(value === OTHER_DELIMITER);
    if (value !== OTHER_DELIMITER) onChange(value);
  }
  return (
    <>
      <Select
        label={say('imports.tableControls.delimiter')}
        data={delimiterChoices(used)}
        value={isTyped ? OTHER_DELIMITER : used}
        allowDeselect={false}
        onChange={choose}
        data-testid="table-delimiter"
      />
      {isTyped && (
        <TextInput
          label={say('imports.tableControls.delimitingCharacter')}
          placeholder={say('imports.tableControls.oneCharacter')}
          maxLength={1}
          ref={focus}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            if (typed.length !== 1) return;
            setTyped(false);
            onChange(typed);
          }}
          data-testid="table-delimiter-typed"
        />
      )}
    </>
  );
}

/** Asks which words of a column mean money out. Any number of them may be chosen. */
export function MoneyOutQuestion({ process, question }: { readonly process: ImportProcess; readonly question: OpenQuestion }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // Another reading of the table has other words, so only those of this question count.
  const words = question.choices.map(({ value }) => value).filter((value) => chosen.includes(value));
  return (
    <Alert
      color="orange"
      icon={<IconHelpCircle size={20} aria-hidden />}
      title={say('imports.moneyOutQuestion.whichWordsMeanMoney')}
      data-testid="question-money_out"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (words.length > 0) process.readBy({ answers: { money_out: [...words] } });
        }}
      >
        <Checkbox.Group value={[...words]} onChange={setChosen} aria-label={say('imports.moneyOutQuestion.wordsThatMeanMoney')}>
          <Text size="sm" mb="sm">
            {question.message}
          </Text>
          {question.choices.map(({ value, label, examples }) => (
            <Checkbox
              key={value}
              mb="xs"
              value={value}
              label={label}
              description={examples[0] === undefined ? undefined : sentence(examples[0].written)}
              data-testid={`word-${value}`}
            />
          ))}
        </Checkbox.Group>
        <Group gap="xs">
          <Button type="submit" size="compact-sm" variant="default" disabled={words.length === 0} data-testid="answer-money-out">
            {words.length === 0
              ? say('imports.moneyOutQuestion.theseMeanMoneyOut')
              : say('imports.moneyOutQuestion.moneyOut', { words: words.join(', ') })}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => process.readBy({ answers: { money_out: [] } })}
            data-testid="answer-no-money-out"
          >
            {say('imports.moneyOutQuestion.noneOfThem')}
          </Button>
        </Group>
      </form>
    </Alert>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

type Column = ImportPreview['columns'][number];

interface ColumnsTableProps {
  readonly columns: ImportPreview['columns'];
  readonly recipe: ImportRecipe;
  readonly onChange: (recipe: ImportRecipe) => void;
}

const ROLES = (Object.keys(ROLE_LABELS) as ColumnRole[]).map((value) => ({ value, label: ROLE_LABELS[value] }));

/** Each column of the file with its role, which the user can change. */
export function ColumnsTable({ columns, recipe, onChange }: ColumnsTableProps) {
  return (
    <section aria-labelledby="columns-heading">
      <Title order={2} id="columns-heading" mb="xs">
        {say('imports.columnsTable.columns')}
      </Title>
      <div className="card">
        <TableFrame least={560}>
          <FigureTable
            columns={[
              { head: say('imports.columnsTable.inTheFile') },
              { head: say('imports.columnsTable.takenAs') },
              { head: say('imports.columnsTable.forExample') },
            ]}
            isWrapping
            isFitted
          >
            <tbody>
              {columns.map((column) => (
                <Row key={column.index} column={column} recipe={recipe} onChange={onChange} />
              ))}
            </tbody>
          </FigureTable>
        </TableFrame>
      </div>
    </section>
  );
}

function Row({ column, recipe, onChange }: Omit<ColumnsTableProps, 'columns'> & { readonly column: Column }) {
  const { name } = column;
  return (
    <tr>
      <td>{name}</td>
      <td>
        <Group gap={6} wrap="nowrap">
          <IconArrowRight size={13} color="var(--mantine-color-dimmed)" aria-hidden />
          <Select
            size="xs"
            w="11rem"
            aria-label={say('imports.columnsTable.whatIsTakenAs', { name })}
            data={ROLES}
            value={recipe.columns[column.index]?.role ?? 'metadata'}
            allowDeselect={false}
            comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
            onChange={(role) => role !== null && onChange(withRole(recipe, column.index, role))}
            data-testid={`role-${column.index}`}
          />
          {column.is_reference && recipe.columns[column.index]?.role !== 'reference' && (
            <Badge color="violet">{say('imports.columnsTable.reference')}</Badge>
          )}
          {column.field?.startsWith('metadata.') === true && (
            <Text size="xs" c="dimmed" ff="monospace" className="truncate">
              {column.field}
            </Text>
          )}
        </Group>
      </td>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the cell is no control, and has its text further inside */}
      <td style={{ maxWidth: '22rem' }}>
        <div className="truncate" title={column.samples.join('\n')}>
          <Text span size="sm" c="dimmed">
            {column.samples.filter((sample) => sample !== '').join(' · ') || say('imports.columnsTable.empty')}
          </Text>
        </div>
      </td>
    </tr>
  );
}

const FROM_FILE = { value: '', label: say('imports.fromFile.label') };
const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
const DECIMAL_MARKS = ['.', ','] as const;

interface RecipeControlsProps {
  readonly recipe: ImportRecipe;
  readonly onChange: (recipe: ImportRecipe) => void;
}

/** The settings for the contents of cells. */
export function RecipeControls({ recipe, onChange }: RecipeControlsProps) {
  const models = signModelsOf(recipe);
  return (
    <>
      <Select
        label={say('imports.recipeControls.orderOfDates')}
        data={[FROM_FILE, ...DATE_ORDERS.map((value) => ({ value, label: dateOrderText(value) }))]}
        value={recipe.date_order ?? ''}
        allowDeselect={false}
        onChange={(value) => onChange({ ...recipe, date_order: DATE_ORDERS.find((order) => order === value) ?? null })}
        data-testid="recipe-date-order"
      />
      <Select
        label={say('imports.recipeControls.decimalMark')}
        data={[FROM_FILE, ...DECIMAL_MARKS.map((value) => ({ value, label: decimalMarkText(value) }))]}
        value={recipe.decimal_mark ?? ''}
        allowDeselect={false}
        onChange={(value) => onChange({ ...recipe, decimal_mark: DECIMAL_MARKS.find((mark) => mark === value) ?? null })}
        data-testid="recipe-decimal-mark"
      />
      <Select
        label={say('imports.recipeControls.signs')}
        data={[FROM_FILE, ...models.map((value) => ({ value, label: SIGN_MODEL_LABELS[value] }))]}
        value={recipe.sign_model ?? ''}
        allowDeselect={false}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(value) => onChange({ ...recipe, sign_model: models.find((model) => model === value) ?? null })}
        data-testid="recipe-signs"
      />
      <NumberInput
        label={say('imports.recipeControls.linesLeftOutAtTheEnd')}
        placeholder={say('imports.recipeControls.totalsAndText')}
        min={0}
        max={RECIPE_LIMITS.footerRows}
        allowDecimal={false}
        value={recipe.footer_rows ?? ''}
        onChange={(value) => onChange({ ...recipe, footer_rows: typeof value === 'number' ? value : null })}
        data-testid="recipe-footer"
      />
    </>
  );
}

export function RecipeFault({ recipe }: { readonly recipe: ImportRecipe | null }) {
  const fault = recipe === null ? null : recipeFault(recipe);
  if (fault === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />} data-testid="recipe-fault" role="alert">
      {fault}
    </Alert>
  );
}

/** Names the recipe in use, and asks when it is doubtful whether the stored recipe applies. */
export function RecipeBar({ process, used }: { readonly process: ImportProcess; readonly used: UsedRecipe }) {
  return (
    <>
      <RecipeFault recipe={process.flow.recipe} />
      {used.state === 'doubtful' && <Doubt process={process} />}
      {used.state === 'remembered' && (
        <Alert color="pine" icon={<IconBook2 size={20} aria-hidden />} data-testid="recipe-remembered">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              <Said words="imports.recipeBar.readByTheImportProfile" with={{ name: <b>{used.recipe.name}</b> }} />
            </Text>
            <Button variant="subtle" size="compact-sm" onClick={() => process.readBy({ kept: 'guess' })} data-testid="recipe-guess">
              {say('imports.recipeBar.readItWithoutTheImportProfile')}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}

function Doubt({ process }: { readonly process: ImportProcess }) {
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={say('imports.recipeBar.theKeptImportProfileDoesNotSeemToFit')}
      data-testid="recipe-doubtful"
    >
      <Text size="sm" mb="xs">
        {process.flow.preview?.result.problems.find((problem) => problem.code === 'recipe_doubtful')?.message}
      </Text>
      <Group gap="sm">
        <Button size="compact-sm" variant="default" onClick={() => process.readBy({ kept: 'use' })} data-testid="recipe-use">
          {say('imports.recipeBar.readItByTheImportProfile')}
        </Button>
        <Button size="compact-sm" onClick={() => process.readBy({ kept: 'guess' })} data-testid="recipe-guess">
          {say('imports.recipeBar.readWhatTheFile')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Chooses whether to store the recipe for the next file, and its name. */
export function RememberRecipe({ process, used }: { readonly process: ImportProcess; readonly used: UsedRecipe }) {
  const { remember } = process.flow;
  return (
    <>
      <Checkbox
        label={say('imports.recipeBar.rememberHowThisLayout')}
        checked={remember !== null}
        onChange={(event) => process.remember(event.currentTarget.checked ? used.recipe.name : null)}
        data-testid="remember-recipe"
      />
      {remember !== null && (
        <TextInput
          label={say('imports.recipeBar.nameOfTheImportProfile')}
          value={remember}
          maxLength={255}
          error={remember.trim() === '' ? say('imports.recipeBar.nameItOrDoNotRememberIt') : null}
          onChange={(event) => process.remember(event.currentTarget.value)}
          data-testid="recipe-name"
        />
      )}
    </>
  );
}
