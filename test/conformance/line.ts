import type { ErrorCode, OperationId } from '../../src-shared/contract/index.ts';
import type { Service } from './service.ts';

/** One line of the specification (or of what completes it), and its proof over HTTP. */
export interface Line {
  /** Dotted: the section, then what the line is about. */
  readonly id: string;
  /** What the line asks for, in our own words. */
  readonly says: string;
  /** Operations whose behaviour the proof looks at. */
  readonly operations: readonly OperationId[];
  /** Error codes that the proof sees answered. */
  readonly codes?: readonly ErrorCode[];
  /** Set where a proof waits for work in the background: the search for a line that finds a fault comes to these last. */
  readonly slow?: true;
  /** Throws when the service does otherwise. It may be run any number of times on one book. */
  readonly proves: (service: Service) => Promise<void>;
}
