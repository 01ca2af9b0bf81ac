import { isDeeper, LIMITS } from '../../../src-shared/contract/common.ts';
import { SyncStop } from './answers.ts';

/** Far more than a page of records can have. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Metadata of a record, and what stands about it. */
const DEEPEST = LIMITS.jsonDepth + 8;

/** The text of an answer. Null when it was cut off. */
export async function textOf(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > MAX_BYTES) {
        await reader.cancel();
        throw new SyncStop('answer_too_large', 'An answer of the remote is larger than 64 MB: this is no reconciliation service.');
      }
      parts.push(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (error instanceof SyncStop) throw error;
    return null;
  }
  parts.push(decoder.decode());
  return parts.join('');
}

/** The value of a JSON text, or that it is none. */
export function jsonOf(text: string): { readonly isJson: boolean; readonly value: unknown } {
  if (text === '') return { isJson: true, value: null };
  try {
    const value = JSON.parse(text) as unknown;
    // No page of records is nested so deep, and what compares or stores it goes down level by level.
    if (isDeeper(value, DEEPEST))
      throw new SyncStop(
        'answer_too_deep',
        `An answer of the remote is nested more than ${DEEPEST} levels deep: this is no reconciliation service.`,
      );
    return { isJson: true, value };
  } catch (error) {
    if (error instanceof SyncStop) throw error;
    return { isJson: false, value: null };
  }
}

/** Whether a text is a web page, as a login page of a network answers whatever is asked. */
export function isWebPage(text: string, contentType: string | null): boolean {
  return contentType?.includes('text/html') === true || /^\s*</.test(text);
}
