import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { answeringBulk } from './answering-bulk.ts';
import { answeringDuringImport } from './answering-import.ts';
import { answering } from './answering.ts';
import { bulkInFlight } from './bulk-in-flight.ts';
import { bulk } from './bulk.ts';
import { close } from './close.ts';
import { evidence, evidenceBooks } from './evidence.ts';
import { importingLarge } from './import-large.ts';
import { importing } from './import.ts';
import { matching } from './matching.ts';
import { pages } from './pages.ts';
import { pdf } from './pdf.ts';
import { REPOSITORY } from './product.ts';
import { runWriting } from './run-writing.ts';
import { startUp } from './start-up.ts';
import { subset } from './subset.ts';
import { sync } from './sync.ts';
import { warehouse } from './warehouse.ts';
import { window } from './window.ts';
import { wipe } from './wipe.ts';

const BENCHES = {
  'start-up': startUp,
  answering,
  'answering-import': answeringDuringImport,
  'answering-bulk': answeringBulk,
  import: importing,
  'import-large': importingLarge,
  bulk,
  'bulk-in-flight': bulkInFlight,
  wipe,
  close,
  sync,
  pages,
  pdf,
  subset,
  matching,
  'run-writing': runWriting,
  evidence,
  'evidence-books': evidenceBooks,
  warehouse,
  window,
} as const;

const asked = process.argv.slice(2);
const names = Object.keys(BENCHES) as (keyof typeof BENCHES)[];
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}: there are ${names.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  // A process that builds first takes memory and time that are not the product's.
  execFileSync(process.execPath, [path.join(REPOSITORY, 'src-main/launch.mjs'), '--build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of names) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    process.stdout.write(`${JSON.stringify(await BENCHES[name]())}\n`);
  }
}
