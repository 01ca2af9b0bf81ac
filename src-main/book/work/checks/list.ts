import { auditCheck } from './audit-log.ts';
import { contentCheck } from './content.ts';
import type { Check } from './check.ts';
import { fileCheck } from './file.ts';
import { listsCheck } from './lists.ts';
import { membersCheck } from './members.ts';
import { packsCheck } from './packs.ts';
import { schemaCheck } from './schema.ts';
import { searchCheck } from './search.ts';
import { signOffsCheck } from './sign-offs.ts';

/** All checks, in the order in which they are made: what others rely on comes first. */
export const CHECKS: readonly Check[] = [
  fileCheck,
  schemaCheck,
  contentCheck,
  listsCheck,
  membersCheck,
  packsCheck,
  searchCheck,
  auditCheck,
  signOffsCheck,
];
