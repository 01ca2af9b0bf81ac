import { ERROR_WORDS } from '../../src-shared/contract/error-words.ts';
import { ERRORS, type ErrorCode } from '../../src-shared/contract/errors.ts';

interface CodeRow {
  readonly code: ErrorCode;
  readonly status: number;
  readonly when: string;
  readonly remedy: string;
}

declare const data: CodeRow[];
export { data };

// VitePress takes what loads the data of a page as a default export.
export default {
  watch: [],
  load: (): CodeRow[] =>
    Object.entries(ERRORS).map(([code, { status }]) => ({ code: code as ErrorCode, status, ...ERROR_WORDS[code as ErrorCode] })),
};
