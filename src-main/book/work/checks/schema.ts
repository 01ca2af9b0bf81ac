import { type SchemaFault, schemaFaults } from '../../../database/digests/schema-faults.ts';
import type { Check } from './check.ts';

function wordsOf({ type, name, kind }: SchemaFault): string {
  if (kind === 'unknown')
    return `The book has a ${type} ${name}, which Tieout does not know: it may change what Tieout writes. Take it out with the tool that put it in, or restore a backup.`;
  if (kind === 'other')
    return `The ${type} ${name} of the book is not as Tieout makes it: something changed it. Restore the book from a backup.`;
  return `The ${type} ${name} of the book is missing: something took it out. Restore the book from a backup.`;
}

/** Checks that tables, indices, triggers and views are those of the migrations. */
export const schemaCheck: Check = {
  id: 'schema',
  label: 'tables, indices and triggers',
  find: ({ connection }) => schemaFaults(connection, 'main').map((fault) => ({ message: wordsOf(fault) })),
};
