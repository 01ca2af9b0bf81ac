/** How far a run is, over all rules, and whether it goes on. Counts are records. */
export interface Watch {
  /** Counts records as done, or parts of them, and reports from time to time. */
  readonly advance: (records: number) => void;
  /** Counts everything of the present stage as done, whatever was advanced. */
  readonly finishStage: () => void;
  readonly beginStage: (ruleId: number, records: number) => void;
  readonly isCancelled: () => boolean;
}
