import type { EngineControl } from './engine-run.ts';
import type { Watch } from './model/watch.ts';

const RECORDS_PER_REPORT = 2_048;

/** `total` is the sum of all stages; every stage begins where the one before it would have ended. */
export function watchOf(control: EngineControl, total: number): Watch {
  let processed = 0;
  let stageEnd = 0;
  let sinceReport = 0;
  let currentRule = 0;
  const report = (): void => {
    sinceReport = 0;
    control.onProgress(Math.floor(processed), total, currentRule);
  };
  return {
    beginStage: (ruleId, records) => {
      currentRule = ruleId;
      processed = stageEnd;
      stageEnd = Math.min(total, stageEnd + records);
      report();
    },
    advance: (records) => {
      const next = Math.min(stageEnd, processed + records);
      sinceReport += next - processed;
      processed = next;
      if (sinceReport >= RECORDS_PER_REPORT) report();
    },
    finishStage: () => {
      processed = stageEnd;
      report();
    },
    // It is asked each time so much was worked, however few records that took: hundreds of dear tests a record would else leave people without a word.
    isCancelled: () => {
      if (sinceReport > 0) report();
      return control.isCancelled();
    },
  };
}
