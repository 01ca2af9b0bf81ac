import { catalogue } from '../../src-shared/words/catalogue.ts';

const PLURAL = /\{(\w+), (?:plural|select),((?: ?(?:one|other|yes|=\d+)\{[^{}]*\})+)\}/g;

/** Returns a message as it is read aloud: the forms of a plural with a bar between them, the names of values in angle quotes, no tags. */
function readAloud(message: string): string {
  return message
    .replaceAll(PLURAL, (_, name: string, forms: string) =>
      [...forms.matchAll(/\{([^{}]*)\}/g)].map(([, form]) => (form ?? '').replaceAll('#', `‹${name}›`)).join(' | '),
    )
    .replaceAll(/\{(\w+)\}/g, '‹$1›')
    .replaceAll(/<\/?\w+>/g, '');
}

// `npm run words` prints every sentence of the window and of the command line, room by room and place by place.
let heading = '';
for (const [key, message] of Object.entries(catalogue)) {
  const place = key.split('.').slice(0, -1).join(' · ');
  if (place !== heading) process.stdout.write(`\n${place}\n`);
  heading = place;
  process.stdout.write(`  ${readAloud(message).trim()}\n`);
}
