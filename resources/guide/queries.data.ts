import { LINKED_TABLES, powerQueryText } from '../../src-shared/values/sheet-link.ts';
import { say } from '../../src-shared/words/say.ts';

interface Query {
  readonly name: string;
  readonly text: string;
}

const NAMES = {
  items: say('close.linked.sheetItems'),
  open: say('close.linked.sheetOpen'),
  matched: say('close.linked.sheetMatched'),
  balances: say('close.linked.sheetBalances'),
  accounts: say('close.linked.sheetAccounts'),
  statement: say('close.linked.sheetStatement'),
} as const;

declare const data: Query[];
export { data };

// VitePress takes what loads the data of a page as a default export.
export default {
  watch: [],
  load: (): Query[] =>
    LINKED_TABLES.map((table) => ({ name: NAMES[table.path], text: powerQueryText('http://127.0.0.1:4690/sheet/TOKEN', table) })),
};
