import { LINKED_TABLES, powerQueryText } from '../../src-shared/values/sheet-link.ts';
import { say } from '../../src-shared/words/say.ts';

interface Query {
  readonly name: string;
  readonly text: string;
}

declare const data: Query[];
export { data };

// VitePress takes what loads the data of a page as a default export.
export default {
  watch: [],
  load: (): Query[] =>
    LINKED_TABLES.map((table) => ({ name: say(table.words), text: powerQueryText('http://127.0.0.1:4690/sheet/TOKEN', table) })),
};
