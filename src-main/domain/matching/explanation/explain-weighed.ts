import type { EvidenceItem } from '../../../../src-shared/contract/index.ts';
import { evidenceSentence, explainEvidence } from '../../evidence/explain-evidence.ts';
import { weightOfPacked } from '../../evidence/model/packed-weight.ts';
import type { EvidenceParameters } from '../../evidence/model/parameters.ts';
import type { Part } from '../../evidence/model/weight.ts';
import type { EngineRecord } from '../../records/record.ts';
import { textFields } from '../evidence/evidence-ground.ts';
import type { Reason } from './explain.ts';

/** Kinds of evidence as the wire names them. */
const FIELDS: Readonly<Record<Part, EvidenceItem['field']>> = {
  amount: 'amount',
  lag: 'date',
  text: 'text',
  references: 'reference',
  rivals: 'rivals',
};

/** A match that was weighed says what was stored with it, in words made of its records. `learned`: what the run knew; null where that is not kept. */
export function evidenceExplainer(learned: EvidenceParameters | null) {
  return (sideA: readonly EngineRecord[], sideB: readonly EngineRecord[], { weight }: { readonly weight?: number | undefined }): Reason => {
    if (weight === undefined || sideA.length + sideB.length === 0) return { groupKey: null, explanation: [] };
    const facts = { fieldsA: fieldsOf(sideA), fieldsB: fieldsOf(sideB), parameters: learned };
    const lines = explainEvidence(sideA, sideB, weightOfPacked(weight), facts);
    const evidence = lines.map((line) => ({
      field: FIELDS[line.field],
      level: line.level,
      words: evidenceSentence(line),
      bits: line.bits,
    }));
    return { groupKey: null, explanation: evidence.map(({ words }) => words), evidence };
  };
}

const fieldsOf = (records: readonly EngineRecord[]) => textFields(records.map(({ metadata }) => metadata));
