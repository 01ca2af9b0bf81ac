import { SyncStop } from '../model/answers.ts';

/** Far more than a page of records can have. */
const MAX_BYTES = 64 * 1024 * 1024;

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
    return { isJson: true, value: JSON.parse(text) as unknown };
  } catch {
    return { isJson: false, value: null };
  }
}

/** Whether a text is a web page, as a login page of a network answers whatever is asked. */
export function isWebPage(text: string, contentType: string | null): boolean {
  return contentType?.includes('text/html') === true || /^\s*</.test(text);
}
