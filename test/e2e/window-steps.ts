import { expect, type Page } from '@playwright/test';

/** Hands one file to the window: by the page's own input, or through the shell's dialog. */
export type ChooseFile = (page: Page, file: string) => Promise<void>;

export const byFileInput: ChooseFile = (page, file) => page.getByTestId('file-input').setInputFiles(file);

/** Imports a file into a new stream and waits for the result. */
export async function importFile(page: Page, choose: ChooseFile, file: string, name: string): Promise<void> {
  await page.getByTestId('import-button').first().click();
  await choose(page, file);
  await expect(page.getByTestId('import-preview')).toBeVisible();
  const newStream = page.getByTestId('stream-mode').getByText('New stream');
  if (await newStream.isVisible()) await newStream.click();
  await page.getByTestId('stream-name').fill(name);
  await page.getByTestId('stream-name').blur();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toBeVisible();
}

/** Back to the first screen. */
export async function goToBook(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Book' }).getByText('Book', { exact: true }).click();
  await expect(page.getByTestId('book-overview')).toBeVisible();
}

async function pickStream(page: Page, side: 'a' | 'b', name: string): Promise<void> {
  await page.getByTestId(`side-${side}`).click();
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
}

/** Sets up a reconciliation of two streams from the first screen and runs it. */
export async function reconcile(page: Page, sideA: string, sideB: string): Promise<void> {
  await page.getByTestId('new-reconciliation').click();
  await pickStream(page, 'a', sideA);
  await pickStream(page, 'b', sideB);
  await page.getByTestId('reconciliation-create').click();
  await page.getByTestId('reconciliation-open-and-run').click();
}
