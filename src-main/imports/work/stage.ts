import type { Direction } from '../../../src-shared/values/money.ts';
import { textPrint } from '../../../src-shared/values/text-print.ts';
import { bytesOfImage, TableImage, writeText } from '../../database/sqlite-image.ts';
import { STAGED_LINES } from '../../records/store/staged-records.ts';
import type { SpillRoom } from '../../domain/collections/spilled-counts.ts';
import { type BuiltLine, DedupeKeys, type RejectedRow, type StatementLine } from '../../domain/statement/index.ts';

/** Currency, decimal places and direction of an amount. */
export interface KindOfMoney {
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly direction: Direction;
}

/** Lines of a file on their way into the book: a table that SQLite reads, and beside it the values of each line that are needed without reading that table. */
export interface StagedLines {
  readonly image: Uint8Array;
  readonly count: number;
  readonly prints: Float64Array;
  /** Minor units. */
  readonly amounts: Float64Array;
  readonly days: Int32Array;
  /** Places in `kindsOfMoney`, which grows with the file. */
  readonly kinds: Uint16Array;
  readonly kindsOfMoney: readonly KindOfMoney[];
  /** Dedupe keys in UTF-8, a line end behind each, and where each of them ends. */
  readonly keys: Uint8Array;
  readonly keyEnds: Uint32Array;
}

/** Pages of a stage for very many lines: with fewer, the image would be opened too often; more would only take memory. */
const MOST_PAGES = 64;
const MOST_LINES = 32_768;
const BYTES_OF_KEYS = 1 << 20;
/** No key is longer than this. */
const LONGEST_KEY = 2_048;
/** A page takes about so many lines of most files, and a line's key so many bytes. */
const LINES_OF_PAGE = 300;
const BYTES_OF_KEY = 128;

/** Memory of a stage; that of another thread's may be shared. */
export interface RoomOfStage {
  readonly image: Uint8Array;
  readonly prints: Float64Array;
  readonly amounts: Float64Array;
  readonly days: Int32Array;
  readonly kinds: Uint16Array;
  readonly keys: Uint8Array;
  readonly keyEnds: Uint32Array;
}

/** Room for some lines, or for as many as a stage takes at once. */
export function roomOfStage(lines: number, memory: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes)): RoomOfStage {
  const most = Math.min(lines, MOST_LINES);
  return {
    image: new Uint8Array(memory(bytesOfImage(Math.min(MOST_PAGES, 1 + Math.ceil(most / LINES_OF_PAGE))))),
    prints: new Float64Array(memory(most * Float64Array.BYTES_PER_ELEMENT)),
    amounts: new Float64Array(memory(most * Float64Array.BYTES_PER_ELEMENT)),
    days: new Int32Array(memory(most * Int32Array.BYTES_PER_ELEMENT)),
    kinds: new Uint16Array(memory(most * Uint16Array.BYTES_PER_ELEMENT)),
    keys: new Uint8Array(memory(Math.min(BYTES_OF_KEYS, most * BYTES_OF_KEY + LONGEST_KEY))),
    keyEnds: new Uint32Array(memory(most * Uint32Array.BYTES_PER_ELEMENT)),
  };
}

/** The kinds of money of a file, numbered as they come. */
class KindsOfMoney {
  readonly #codes = new Map<string, number>();
  readonly all: KindOfMoney[] = [];

  codeOf({ currency, decimalPlaces, direction }: KindOfMoney): number {
    const name = direction === 'credit' ? `+${currency}${decimalPlaces}` : `-${currency}${decimalPlaces}`;
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.all.push({ currency, decimalPlaces, direction }) - 1;
      this.#codes.set(name, code);
    }
    return code;
  }
}

/** Takes lines until it is full. */
class LineStage {
  readonly #room: RoomOfStage;
  readonly #kinds: KindsOfMoney;
  readonly #keys: Buffer;
  readonly #image: TableImage;
  #bytesOfKeys = 0;

  constructor(room: RoomOfStage, kinds = new KindsOfMoney()) {
    this.#room = room;
    this.#kinds = kinds;
    this.#keys = Buffer.from(room.keys.buffer, room.keys.byteOffset, room.keys.byteLength);
    this.#image = new TableImage(room.image, STAGED_LINES.name, STAGED_LINES.columns);
  }

  get count(): number {
    return this.#image.rows;
  }

  /** Whether no further line may find room. */
  get isFull(): boolean {
    return this.count === this.#room.days.length || this.#image.isFull || this.#bytesOfKeys > this.#keys.length - LONGEST_KEY;
  }

  /** A line and its dedupe key. */
  add(line: StatementLine, key: string): void {
    const { prints, amounts, days, kinds, keyEnds } = this.#room;
    const at = this.count;
    const print = textPrint(key);
    prints[at] = print;
    amounts[at] = line.amountMinor;
    days[at] = line.day;
    kinds[at] = this.#kinds.codeOf(line);
    this.#bytesOfKeys += writeText(this.#keys, key, this.#bytesOfKeys);
    this.#keys[this.#bytesOfKeys] = 10;
    this.#bytesOfKeys += 1;
    keyEnds[at] = this.#bytesOfKeys;
    const image = this.#image;
    image.int(line.row);
    image.int(line.day);
    image.int(line.amountMinor);
    image.int(line.direction === 'credit' ? 1 : 0);
    image.text(line.currency);
    image.int(line.decimalPlaces);
    image.textOrNull(line.description);
    image.textOrNull(line.externalId);
    image.text(JSON.stringify(line.metadata));
    image.text(key);
    image.int(print);
    image.textOrNull(line.reversal === undefined ? null : JSON.stringify(line.reversal));
    image.intOrNull(line.valueDay);
    image.end();
  }

  /** The lines so far; until others are added. */
  get lines(): StagedLines {
    return { ...this.#room, image: this.#image.finished(), count: this.count, kindsOfMoney: this.#kinds.all };
  }

  /** Empties the stage once its lines are stored. */
  clear(): void {
    this.#image.clear();
    this.#bytesOfKeys = 0;
  }
}

/** So many rejected rows are handed over, even if there are few lines with them. */
const MOST_REJECTED = 4_096;

/** Some lines of a file, and the rejected rows among them. */
export interface StretchOfFile {
  readonly lines: StagedLines;
  readonly rejected: readonly RejectedRow[];
}

/** Stages lines and hands them over some ten thousand at a time. */
export class LineStager {
  readonly #nextRoom: () => RoomOfStage;
  readonly #hand: (stretch: StretchOfFile) => void;
  readonly #kinds = new KindsOfMoney();
  #stage: LineStage | null = null;
  #rejected: RejectedRow[] = [];

  /** `nextRoom`: for the next lines. What is handed over stays as it is until its room is given out again. */
  constructor(nextRoom: () => RoomOfStage, hand: (stretch: StretchOfFile) => void) {
    this.#nextRoom = nextRoom;
    this.#hand = hand;
  }

  /** A line and its dedupe key. */
  add(line: StatementLine, key: string): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#stage.add(line, key);
    if (this.#stage.isFull) this.end();
  }

  reject(row: RejectedRow): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#rejected.push(row);
    if (this.#rejected.length === MOST_REJECTED) this.end();
  }

  /** Hands over what is left. */
  end(): void {
    if (this.#stage === null) return;
    this.#hand({ lines: this.#stage.lines, rejected: this.#rejected });
    this.#stage = null;
    this.#rejected = [];
  }

  /** Forgets what was not handed over; its room is used for the next lines. */
  drop(): void {
    this.#rejected = [];
    this.#stage?.clear();
  }
}

/** Stages the lines of a file as they are read. */
export class FileStager {
  readonly #stager: LineStager;
  readonly #asTaken: (line: StatementLine) => StatementLine;
  readonly #spill: SpillRoom | undefined;
  #keys: DedupeKeys;

  /** `asTaken`: how the stream takes a line; its key is that of the line as the file says it. `spill`: that of `DedupeKeys`. */
  constructor(
    nextRoom: () => RoomOfStage,
    hand: (stretch: StretchOfFile) => void,
    asTaken: (line: StatementLine) => StatementLine,
    spill?: SpillRoom,
  ) {
    this.#stager = new LineStager(nextRoom, hand);
    this.#asTaken = asTaken;
    this.#spill = spill;
    this.#keys = new DedupeKeys(spill);
  }

  /** In the order of the file. */
  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      if (line !== null) this.#stager.add(this.#asTaken(line), this.#keys.next(line));
      else if (rejected !== null) this.#stager.reject(rejected);
    }
  }

  /** Hands over what is left. */
  end(): void {
    this.#stager.end();
  }

  /** There will be no further lines. */
  close(): void {
    this.#keys.close();
  }

  /** Forgets all lines so far: the same file is read again from its first line. */
  drop(): void {
    this.#keys.close();
    this.#keys = new DedupeKeys(this.#spill);
    this.#stager.drop();
  }
}
