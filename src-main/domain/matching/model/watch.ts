/** Progress of a run over all rules, and its cancel flag. Counts are records. */
export interface Watch {
  /** Counts records, or fractions of them, as done and reports progress from time to time. */
  readonly advance: (records: number) => void;
  /** Counts the current stage as done, whatever was advanced. */
  readonly finishStage: () => void;
  readonly beginStage: (ruleId: number, records: number) => void;
  readonly isCancelled: () => boolean;
}
