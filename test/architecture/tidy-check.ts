import path from 'node:path';
import { ENTRANCES } from './room-table.ts';
import { codeText, lineOf, nodesOf, parse, type Source, type SyntaxNode } from './sources.ts';

interface Ban {
  /** Files to which the ban applies. */
  readonly where: RegExp;
  /** Files that are exempt; the reason is in a comment beside it. */
  readonly except?: RegExp;
  /** Pattern of the banned code; comments are not searched. */
  readonly pattern: RegExp;
  readonly use: string;
}

const ALL_CODE = /^(src-|test\/)/;
const PRODUCT = /^src-/;

const CODE_BANS: readonly Ban[] = [
  {
    where: /^test\//,
    // Browser tests may skip where no runtime is found. Skips are checked by name against test/expected-skips.json.
    except: /^test\/e2e\//,
    pattern: /\b(?:it|test|describe|suite)\s*\.\s*(?:skip|skipIf|runIf|todo|fails)\b/g,
    use: 'register the test only where it can run',
  },
  { where: /^test\//, pattern: /\b(?:it|test|describe|suite)\s*\.\s*only\b/g, use: 'run one file by its name instead' },
  {
    where:
      /^src-main\/(?:(?:book|streams|records|imports|matches|rules|runs|reconciliations|close|sync)\/|service\/|backend\/|jobs\/|database\/)/,
    // Digests parse JSON that SQLite has just made, packs check the value themselves, and the others parse files beside the book or data of another
    // program.
    except:
      /^src-main\/(?:database\/(?:json-columns|digests\/)|records\/\w+\/pack-stream\.ts|book\/(?:operations\/local-port|store\/(?:folder-lock|known-books|audit-anchor|backup-files))\.ts|backend\/command-door\.ts|sync\/\w+\/(?:sync-keys|remote-http)\.ts)/,
    pattern: /\bJSON\.parse\b/g,
    use: 'storedJson of src-main/database/json-columns.ts reads a column of the book and checks its shape',
  },
  {
    where: /^src-main\/domain\//,
    // The scripts of a close pack run in a browser, which has nothing else for times.
    except: /^src-main\/domain\/report\/(?:pack-html|render-script)\.ts$/,
    pattern: /\bDate\b(?=\s*[.(])|\bnew\s+Date\b/g,
    use: 'days of src-shared/values/civil-date.ts',
  },
  {
    where: /^src-(main|shared)\//,
    except: /^src-main\/platform\/|\.mjs$/,
    pattern: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)/g,
    use: 'the Clock port of src-main/platform',
  },
  {
    where: /^src-(main|shared)\//,
    // The shell measures how long a program that it started has run; no answer of the service depends on it.
    except: /^src-main\/(?:platform|shell)\/|\.mjs$/,
    pattern: /\bperformance\s*\.\s*now\b/g,
    use: 'the Clock port of src-main/platform',
  },
  {
    where: /^src-main\/domain\//,
    pattern: /\b(?:process|globalThis|performance|fetch|setTimeout|setInterval|setImmediate|queueMicrotask)\s*[.(]|\bawait\b/g,
    use: 'arguments and results: the domain is a function of its input',
  },
  {
    where: /^src-main\/(?:database|[a-z]+\/store)\//,
    pattern: /\bawait\b/g,
    use: 'synchronous calls: an await in a transaction stalls every other query',
  },
  { where: ALL_CODE, pattern: /\bMath\s*\.\s*random\b/g, use: 'the Random port; in tests a seeded generator' },
  {
    where: PRODUCT,
    except: /^src-main\/platform\//,
    pattern: /\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/g,
    use: 'the Random port of src-main/platform',
  },
  {
    where: PRODUCT,
    // The one place that knows a locale, the reader of workbooks, which writes digits for itself and for no person, and queries that read what CSV has.
    except: /^src-shared\/values\/(?:notation|sheet-link)\.ts$|^src-main\/domain\/statement\/workbook\/workbook\.ts$/,
    pattern:
      /\btoLocale(?:Date|Time)?String\b|\bIntl\s*\.\s*(?:DateTime|Number|RelativeTime)Format\s*\(|\bnavigator\s*\.\s*languages?\b|\btype[=:]\s*\{?["']date["']|["']en-[A-Z]{2}["']/g,
    use: 'src-shared/values/notation.ts, by which the whole book writes days and numbers the same; DateField for a day that is typed',
  },
  {
    where: /^src-renderer\//,
    except: /^src-renderer\/format\/money\.ts$/,
    pattern: /\bdecimalText\b/g,
    use: 'plainAmount, moneyText or typedAmount of src-renderer/format/money.ts, which write the decimal mark of the book',
  },
  {
    where: /^src-shared\/words\//,
    // What is typed on a command line or stands in a table has a point everywhere, and the choice of the mark shows both.
    except: /^src-shared\/words\/(?:commands|warehouse)\.ts$/,
    pattern: /(?<!\d|[.,]|Point: |Comma: )\b\d[\d.,]*[.,]\d{2}\b(?! %)|\b\d{2}\/\d{2}\b/g,
    use: 'a value that is put into the sentence, written as the book writes amounts and days',
  },
  { where: PRODUCT, pattern: /\bconsole\s*\.\s*\w+/g, use: 'the Log port; the command line writes to process.stdout and stderr' },
  { where: PRODUCT, pattern: /\bparseFloat\b/g, use: 'minor units read from digits: no float touches money' },
  {
    where: /^src-(main|shared)\//,
    // It writes likelihoods, which are no money.
    except: /^src-shared\/values\/notation\.ts$/,
    pattern: /\.\s*toFixed\b/g,
    use: 'decimalText of src-shared/values/money.ts',
  },
  { where: PRODUCT, pattern: /\bMath\s*\.\s*\w+\s*\([^()]*\*\s*100?0?0?\s*\)/g, use: 'minor units read from digits, never scaled' },
  { where: PRODUCT, pattern: /\b(?:eval|Function)\s*\(/g, use: 'plain code: nothing is compiled at run time' },
  {
    where: /^src-renderer\//,
    pattern: /<\w+\s(?:(?!\/>)[^<])*?\bclassName=\{(?!classes\()[^{}]*\}(?:(?!\/>)[^<])*?\{\.\.\.(?:rest|props)\}/g,
    use: 'classes(styles.name, className): what a caller passes would take the place of the own class',
  },
  { where: /^src-renderer\//, pattern: /\bdangerouslySetInnerHTML\b|\.\s*innerHTML\b/g, use: 'React elements' },
  { where: ALL_CODE, pattern: /\brequire\s*\(\s*['"]/g, use: 'import' },
];

const COMMENT_BANS: readonly { readonly pattern: RegExp; readonly use: string }[] = [
  { pattern: /@ts-(?:ignore|expect-error|nocheck)/, use: 'a type that says it' },
  { pattern: /(?:oxlint|eslint)-disable(?!.* -- \S)/, use: 'a change that passes, or ` -- reason` behind it' },
  { pattern: /\b(?:TO[D]O|FIX[M]E)\b/, use: 'the thing itself, or nothing' },
];

const SYNTAX_BANS: Readonly<Record<string, string>> = {
  TSAnyKeyword: '`any`: use `unknown` and a check',
  TSNonNullExpression: '`!`: use `present` of src-shared/values/assert.ts, or a branch',
  TSEnumDeclaration: 'an enum: use a union of literals',
  ExportDefaultDeclaration: 'a default export: export by name',
};

/** Whether a member is `private`. Only a constructor may be, because it cannot have a `#name`. */
function isPrivateWord({ accessibility, kind }: SyntaxNode): boolean {
  return accessibility === 'private' && kind !== 'constructor';
}

const CONFIGURATION = /(?:^|\/)[a-z.-]+\.config\.ts$/;
/** Files that may only re-export: operations are looked up in one table, and some rooms have one entry. */
const BARRELS: ReadonlySet<string> = new Set([
  'src-shared/contract/index.ts',
  ...Object.entries(ENTRANCES).map(([room, { entry }]) => `${room}/${entry}`),
]);

const bansOf = ({ file }: Source): Ban[] => CODE_BANS.filter((ban) => ban.where.test(file) && ban.except?.test(file) !== true);

function codeFaults(source: Source): string[] {
  const text = codeText(source);
  return bansOf(source).flatMap((ban) =>
    [...text.matchAll(ban.pattern)].map(
      (found) => `${source.file}:${lineOf(text, found.index)}: \`${found[0].trim()}\` is banned; use ${ban.use}`,
    ),
  );
}

function commentFaults(source: Source): string[] {
  return parse(source).comments.flatMap((comment) =>
    COMMENT_BANS.filter((ban) => ban.pattern.test(comment.value)).map(
      (ban) => `${source.file}:${lineOf(source.text, comment.start)}: \`${comment.value.trim()}\` is banned; use ${ban.use}`,
    ),
  );
}

function syntaxFaults(source: Source): string[] {
  return [...nodesOf(parse(source).program)].flatMap((node) => {
    const fault = SYNTAX_BANS[node.type] ?? (isPrivateWord(node) ? '`private`: use `#name`' : undefined);
    const allowed = fault === undefined || (node.type === 'ExportDefaultDeclaration' && CONFIGURATION.test(source.file));
    return allowed ? [] : [`${source.file}:${lineOf(source.text, node.start)}: ${fault}`];
  });
}

const passesOn = (node: SyntaxNode): boolean => node.type === 'ExportNamedDeclaration' && node['source'] !== null;

/** Returns the fault of a file that only re-exports, or that re-exports a whole file. */
function barrelFaults(source: Source): string[] {
  if (BARRELS.has(source.file) || !PRODUCT.test(source.file)) return [];
  const statements = parse(source).program['body'] as readonly SyntaxNode[];
  const onlyPassesOn = statements.some(passesOn) && statements.every((node) => passesOn(node) || node.type === 'ImportDeclaration');
  const wholeFile = statements.some((node) => node.type === 'ExportAllDeclaration');
  return onlyPassesOn || wholeFile ? [`${source.file}: a barrel; import from the file that defines the name`] : [];
}

/** Returns the fault of a file name other than `abc-def.ts`, also with `.test`, `.config` or `.d` before the ending. */
function nameFaults(source: Source): string[] {
  const name = source.file.split('/').at(-1) ?? '';
  const fits = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|config|spec|d|setup|teardown))*\.(?:tsx?|mjs)$/.test(name);
  return fits ? [] : [`${source.file}: file names are kebab-case`];
}

/** Matches texts that may contain a fault of syntax: `any` after a sign or a word of types, `!` directly after a value. */
const SUSPICIOUS =
  /(?:[^\w\s]\s*|\b(?:as|extends|is|infer|keyof|readonly|satisfies)\s+)any\b|\b(?:enum|private)\s+\w|\bexport\s+default\b|\bexport\s+(?:type\s+)?[{*]|[\w$)\]}'"`]!(?!=)/;

/** Whether a file may have a fault. Parsing all files takes long, and most have no text that a ban may mean. */
function mayBeUntidy(source: Source): boolean {
  const { text } = source;
  return SUSPICIOUS.test(text) || [...bansOf(source), ...COMMENT_BANS].some(({ pattern }) => text.search(pattern) !== -1);
}

/** Returns all violations of bans in a code file, each with what to use instead. */
export function tidyFaults(source: Source): string[] {
  if (!mayBeUntidy(source)) return nameFaults(source);
  return [...codeFaults(source), ...commentFaults(source), ...syntaxFaults(source), ...barrelFaults(source), ...nameFaults(source)];
}

const MACHINE_PATH = /(?:(?<=file:\/\/)|(?<![\w.\-/~@>*}<]))\/(?:(?:work|root|tmp)(?![\w-])|(?:home|Users)\/\w)/;
const WINDOWS_PATH = /\b[A-Z]:\\{1,2}(?:Users|Temp)\\/;

/** Returns the paths of a single machine, in any text of the repository. */
export function machinePathFaults(source: Source): string[] {
  return source.text.split('\n').flatMap((line, index) => {
    const found = MACHINE_PATH.exec(line) ?? WINDOWS_PATH.exec(line);
    return found === null ? [] : [`${source.file}:${index + 1}: \`${found[0]}\` is a path of one machine; use a relative one`];
  });
}

/** Returns the entries of a lockfile that name a host, which would tie every clone to a registry. npm takes the host from its own setting. */
export function lockfileFaults(text: string): string[] {
  const { packages } = JSON.parse(text) as { packages: Record<string, { resolved?: string; link?: boolean }> };
  return Object.entries(packages)
    .filter(([, entry]) => entry.resolved?.includes(':') === true)
    .map(([name, entry]) => `package-lock.json: ${name} is resolved to ${entry.resolved}; install with --omit-lockfile-registry-resolved`);
}

/** Returns the name and the path of each style sheet that a file imports. */
function importedSheets({ file, text }: Source): { readonly name: string; readonly sheet: string }[] {
  return [...text.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)';$/gm)].map(([, name = '', target = '']) => ({
    name,
    sheet: path.posix.join(path.posix.dirname(file), target),
  }));
}

/** Returns the classes that a style sheet defines. Names in `:global(...)` belong to styles/global.css. */
function definedClasses({ text }: Source): Set<string> {
  const selectors = text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replaceAll(/:global\([^)]*\)/g, '');
  return new Set([...selectors.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map(([, name = '']) => name));
}

/**
 * Returns the classes of modules that a component uses but its style sheet lacks, and those that a style sheet defines but no component uses.
 * The compiler finds neither, because the type of an imported style sheet has every name.
 */
export function styleFaults(sheets: readonly Source[], components: readonly Source[]): string[] {
  const defined = new Map(sheets.map((sheet) => [sheet.file, definedClasses(sheet)]));
  const used = new Set<string>();
  const lacking: string[] = [];
  for (const component of components) {
    for (const { name, sheet } of importedSheets(component)) {
      for (const found of component.text.matchAll(new RegExp(`\\b${name}(?:\\.(\\w+)|\\[)`, 'g'))) {
        const at = `${component.file}:${lineOf(component.text, found.index)}`;
        if (found[1] === undefined) lacking.push(`${at}: a computed class; select by a data attribute in ${sheet}`);
        else if (defined.get(sheet)?.has(found[1]) !== true) lacking.push(`${at}: ${sheet} has no class ${found[1]}`);
        used.add(`${sheet} ${found[1]}`);
      }
    }
  }
  const idle = [...defined].flatMap(([sheet, names]) =>
    [...names].filter((name) => !used.has(`${sheet} ${name}`)).map((name) => `${sheet}: nothing uses the class ${name}`),
  );
  return [...lacking, ...idle];
}
