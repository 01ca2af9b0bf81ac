import type { FieldError, RuleBody } from '../../../src-shared/contract/index.ts';
import type { RuleRow } from '../store/rules.ts';

/** What a rule of evidence decides itself. */
const OF_CONDITIONS = ['commit_certainty', 'group_by', 'rollup', 'cardinality'] as const;
const OF_EVIDENCE = ['budget', 'max_difference'] as const;

/** Whether a member has the value that changes nothing, and so does not contradict a rule of evidence. */
function saysNothing(member: (typeof OF_CONDITIONS)[number], body: Partial<RuleBody>): boolean {
  if (member === 'cardinality') return body.cardinality === 'one_to_one';
  return member === 'rollup' ? body.rollup === null : member === 'group_by' && body.group_by?.length === 0;
}

/** Members that do not belong to the rule's method, each with its path; of a PATCH, `stored` is the rule that it changes. */
export function faultsOfMethod(body: Partial<RuleBody>, stored?: Pick<RuleRow, 'method'>): FieldError[] {
  const method = stored?.method ?? body.method ?? 'conditions';
  const errors: FieldError[] = [];
  const add = (path: string, message: string): void => void errors.push({ path, code: 'wrong_method', message });
  if (stored !== undefined && body.method !== undefined && body.method !== stored.method) {
    add('method', `The method of a rule stays \`${stored.method}\`: create another rule, and delete or pause this one.`);
  }
  if (method === 'evidence') {
    for (const member of OF_CONDITIONS) {
      if (body[member] === undefined || saysNothing(member, body)) continue;
      add(member, `A rule of evidence has no \`${member}\`: it weighs pairs and groups itself, and commits what its \`budget\` allows.`);
    }
    if (body.budget === null) add('budget', 'A rule of evidence has a budget: a whole number from 1 to 1,000.');
    return errors;
  }
  for (const member of OF_EVIDENCE) {
    if (body[member] === undefined || body[member] === null) continue;
    add(member, `\`${member}\` belongs to rules whose \`method\` is \`evidence\`; a rule of conditions says it by its filters.`);
  }
  return errors;
}
