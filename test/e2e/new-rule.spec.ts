import { expect, type Page, test } from '@playwright/test';
import type { Rule } from '../../src-shared/contract/index.ts';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()));

async function openForm(page: Page): Promise<void> {
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await page.getByTestId('tab-rules').click();
  await page.getByTestId('add-rule').click();
  await expect(page.getByTestId('condition-row')).toHaveCount(2);
}

async function pick(page: Page, label: string | RegExp, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).first().click();
}

/** Returns the newest rule of the sample book's reconciliation. */
async function lastRule(page: Page): Promise<Rule> {
  const { base_url: baseUrl, api_key: key } = book.served;
  const answer = await page.request.get(`${baseUrl}/reconciliation_rules?reconciliation_id=1`, { headers: { 'x-api-key': key } });
  const rules = (await answer.json()) as Rule[];
  return rules.at(-1) as Rule;
}

test('a rule with alternatives, transforms and certainties is stored as entered', async ({ page }) => {
  await openForm(page);
  await page.getByRole('button', { name: 'Add an alternative to condition 2' }).click();
  await expect(page.getByTestId('rule-choice')).toContainText('At least one of these');
  await pick(page, 'Condition 3: field of side A', 'Reference');
  await pick(page, 'Condition 3: field of side B', 'Description');
  await page.getByRole('button', { name: 'Prepare the values of condition 3' }).click();
  await pick(page, 'Condition 3: prepare the value of side B', 'Part that fits');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('new-rule-create')).toBeDisabled();
  await page.getByLabel('The part that fits a pattern').fill('(');
  await page.getByRole('checkbox', { name: 'Interchangeable' }).uncheck();
  // The service validates the pattern. Its message appears at that condition and goes when it changes.
  await page.getByTestId('new-rule-create').click();
  const third = page.getByTestId('condition-row').nth(2);
  await expect(third.getByTestId('rule-fault')).toContainText('(');
  await expect(page.getByTestId('rule-fault')).toHaveCount(1);
  await page.getByLabel('The part that fits a pattern').fill('INV-\\d+');
  await expect(page.getByTestId('rule-fault')).toHaveCount(0);
  await page.getByTestId('new-rule-create').click();
  await expect(page.getByTestId('new-rule-dialog')).toHaveCount(0);
  expect(await lastRule(page)).toMatchObject({
    filters: {
      operand: 'and',
      rules: [
        { key: 'signed_amount', value: 'signed_amount' },
        {
          operand: 'or',
          rules: [
            { key: 'date', value: 'date', tolerance_amount: 3, tolerance_unit: 'day' },
            { key: 'reference', value: 'description', transforms: { value: [{ name: 'extract', args: { pattern: 'INV-\\d+' } }] } },
          ],
        },
      ],
    },
    commit_certainty: ['unique', 'best'],
    cardinality: 'one_to_one',
  });
});

test('a rule of grouped lines is entered by keyboard, and errors appear at their fields', async ({ page }) => {
  await openForm(page);
  await page.getByRole('radio', { name: 'Several of side A to one' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByTestId('new-rule-create')).toBeDisabled();
  await pick(page, /^Lines with the same/, 'Reference');
  await page.keyboard.press('Escape');
  await pick(page, /^Date/, 'Description');
  await page.getByTestId('grouping-days').fill('4');
  await page.getByTestId('new-rule-create').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rule-grouping').getByTestId('rule-fault')).toContainText('holds dates');
  await pick(page, /^Date/, 'Date');
  await expect(page.getByTestId('rule-fault')).toHaveCount(0);
  await page.getByTestId('new-rule-create').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('new-rule-dialog')).toHaveCount(0);
  expect(await lastRule(page)).toMatchObject({
    cardinality: 'many_to_one',
    group_by: ['reference'],
    rollup: { group_by_kind: 'identifier', many_side: 'a', lookback_days: 4, date_field: 'date' },
  });
});

test('a rule of sums has a limit of days and of lines', async ({ page }) => {
  await openForm(page);
  await page.getByText('Several of side B to one').click();
  await page.getByTestId('grouping-kind').click();
  await page.getByRole('option', { name: 'Whichever lines add up' }).click();
  await expect(page.getByTestId('grouping-days')).toHaveValue('5');
  await pick(page, 'Most lines to add up', '4');
  await page.getByTestId('new-rule-create').click();
  await expect(page.getByTestId('new-rule-dialog')).toHaveCount(0);
  expect(await lastRule(page)).toMatchObject({
    cardinality: 'many_to_one',
    group_by: [],
    rollup: { group_by_kind: 'subset', many_side: 'b', lookback_days: 5, date_field: 'date', max_records: 4 },
  });
});

test('a rule is edited, copied, ordered and paused by keys alone, and its JSON says the same', async ({ page }) => {
  await openForm(page);
  await page.getByTestId('new-rule-create').click();
  await expect(page.getByTestId('new-rule-dialog')).toHaveCount(0);
  const cards = page.getByTestId('rule-card');
  await expect(cards).toHaveCount(2);
  const before = 2;
  const { id } = await lastRule(page);

  // E edits: what it would match now stands beside the conditions, as they are written.
  const handle = cards.last().getByTestId('rule-handle');
  await handle.focus();
  await page.keyboard.press('e');
  const dialog = page.getByTestId('new-rule-dialog');
  await expect(dialog).toContainText('Edit the rule');
  const preview = page.getByTestId('new-rule-preview');
  await expect(preview).toContainText('If it ran now');
  await expect(preview).not.toContainText('Looking');
  const wide = await preview.textContent();
  await page.getByLabel('Condition 2: tolerance').fill('0');
  await page.keyboard.press('Tab');
  await expect(preview).not.toHaveText(wide ?? '');
  await page.getByTestId('rule-form').getByText('JSON').click();
  const json = page.getByTestId('rule-json');
  await expect(json).toHaveValue(/"tolerance_amount": 0/);
  await json.fill('{"filters": 5}');
  await expect(page.getByTestId('new-rule-create')).toBeDisabled();
  await expect(dialog).toContainText('filters');
  await json.fill('{"filters": {"rules": [{"key": "amount", "value": "amount"}]}, "description": "From JSON"}');
  await page.getByTestId('rule-form').getByText('In words').click();
  await expect(page.getByTestId('condition-row')).toHaveCount(1);
  await page.getByTestId('new-rule-create').press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(cards).toHaveCount(before);
  expect(await lastRule(page)).toMatchObject({ id, description: 'From JSON', filters: { rules: [{ key: 'amount', value: 'amount' }] } });

  // D copies, Space pauses, Alt and an arrow move, and the focus stays with the rule.
  await handle.focus();
  await page.keyboard.press('d');
  await expect(dialog).toContainText('Add a copy of the rule');
  await page.getByTestId('new-rule-create').press('Enter');
  await expect(cards).toHaveCount(before + 1);
  await expect(dialog).toHaveCount(0);
  await cards.last().getByTestId('rule-handle').focus();
  await page.keyboard.press(' ');
  await expect(cards.last()).toContainText('Paused');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(cards.nth(before - 1)).toContainText('Paused');
  await expect(cards.nth(before - 1).getByTestId('rule-handle')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cards.last().getByTestId('rule-handle')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(cards.last()).toContainText('Paused');
});

test('a rule is dragged to another place by the mouse', async ({ page }) => {
  await openForm(page);
  await page.getByLabel('Description', { exact: true }).fill('Dragged to the top');
  await page.getByTestId('new-rule-create').click();
  const cards = page.getByTestId('rule-card');
  await expect(cards).toHaveCount(2);
  await expect(cards.last()).toContainText('Dragged to the top');
  await cards.last().getByTestId('rule-handle').dragTo(cards.first());
  await expect(cards.first()).toContainText('Dragged to the top');
});
