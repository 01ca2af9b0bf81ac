import { ANSWERS, schemaOf } from '../../src-shared/contract/command-answers.ts';

interface Answer {
  readonly words: string;
  /** The name of the schema's file. */
  readonly file: string;
  readonly members: readonly string[];
  readonly schema: string;
}

/** The parts of a JSON schema that lead to the members of a document. */
interface Schema {
  readonly properties?: object;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

declare const data: Answer[];
export { data };

/** Returns the members of an answer, for a look at the page; of one that is an array or one of several the members of each. */
function membersOf(schema: object | undefined, defs: Readonly<Record<string, Schema>>): string[] {
  if (schema === undefined) return [];
  const { properties = {}, anyOf = [], items, $ref: reference } = schema as Schema;
  const named = reference === undefined ? undefined : defs[reference.replace('#/$defs/', '')];
  const inner = [...anyOf, items, named].flatMap((each) => membersOf(each, defs));
  return [...new Set([...Object.keys(properties), ...inner])];
}

// VitePress takes what loads the data of a page as a default export.
export default {
  watch: [],
  load: (): Answer[] =>
    Object.keys(ANSWERS).map((words) => {
      const schema: Schema = schemaOf(words) ?? {};
      return {
        words,
        file: `${words.replaceAll(' ', '-')}.json`,
        members: membersOf(schema, schema.$defs ?? {}).filter((name) => name !== 'error'),
        schema: JSON.stringify(schema, null, 2),
      };
    }),
};
