import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { isNode, openApiDocument } from '../../src-main/transport/openapi/openapi.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { longTest, quickTest, some } from '../support/long.ts';

/**
 * On top of the recommended rules, whose warnings count as errors here. None of those is switched off. What they leave off makes no
 * sense for Tieout: paths with hyphens (the specification has underscores), descriptions beside summaries, an example at every field.
 */
const RULES = {
  'operation-tag-defined': 'error',
  'operation-singular-tag': 'error',
  'component-name-unique': 'error',
  'spec-strict-refs': 'error',
} as const;

type Mutable = Record<string, unknown>;

async function problems(document: Readonly<Mutable>): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules: RULES });
  const found = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: '/openapi.json' });
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location.map((place) => place.pointer).join(', ')})`);
}

/** A copy of the document in which one thing is changed. */
function changed(change: (document: Mutable) => void): Mutable {
  const copy = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as Mutable;
  change(copy);
  return copy;
}

function member(root: Mutable, ...names: readonly string[]): Mutable {
  return names.reduce<Mutable>((node, name) => {
    const next = node[name];
    assert(isNode(next), `${name} is there`);
    return next as Mutable;
  }, root);
}

const FAULTS: readonly (readonly [string, (document: Mutable) => void])[] = [
  ['struct', (document) => delete member(document, 'info')['title']],
  ['no-unresolved-refs', (document) => delete member(document, 'components', 'schemas')['Rule']],
  ['operation-summary', (document) => delete member(document, 'paths', '/records', 'get')['summary']],
  ['info-license', (document) => delete member(document, 'info')['license']],
  ['operation-tag-defined', (document) => (document['tags'] = [])],
  ['operation-4xx-response', (document) => (member(document, 'paths', '/records', 'get')['responses'] = { 200: { description: 'Done' } })],
  ['no-unused-components', (document) => (member(document, 'components', 'schemas')['Nobody'] = { type: 'string' })],
  [
    'no-invalid-media-type-examples',
    (document) => {
      member(document, 'paths', '/bank_accounts', 'post', 'requestBody', 'content', 'application/json')['example'] = { name: 5 };
    },
  ],
  ['operation-operationId-unique', (document) => (member(document, 'paths', '/records', 'get')['operationId'] = 'records.create')],
  ['security-defined', (document) => (member(document, 'components')['securitySchemes'] = {})],
];

describe("a linter's view of the OpenAPI document", () => {
  quickTest('finds nothing', async () => {
    expect(await problems(openApiDocument('1.2.3'))).toEqual([]);
  });

  it.each(some(FAULTS, 2))('%s would be found', async (rule, change) => {
    expect((await problems(changed(change))).filter((problem) => problem.startsWith(`${rule}:`))).not.toEqual([]);
  });
});

/** Rules of Spectral that are left off, and why. */
const LEFT_OFF = {
  // There is no address or mailbox of Tieout that the document could name.
  'info-contact': 'off',
  // 3.1 has the identifier of the licence instead.
  'license-url': 'off',
  // Tags stand in the order in which a reader needs them.
  'openapi-tags-alphabetical': 'off',
} as const;

/** Spectral reads `nullable` beside a reference as a fault of the example, and generators of 3.0 need it there; the same examples are held against 3.1. */
const LEFT_OFF_IN_30 = { 'oas3-valid-media-example': 'off' } as const;

async function foundBySpectral(dialect: '3.1' | '3.0', change: (document: Mutable) => void = () => {}): Promise<string[]> {
  const linter = new spectral.Spectral();
  const rules = dialect === '3.1' ? LEFT_OFF : { ...LEFT_OFF, ...LEFT_OFF_IN_30 };
  // Its own type of a set of rules does not know the set that it ships.
  linter.setRuleset({ extends: [[rulesets.oas as unknown as RulesetDefinition, 'all']], rules });
  const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3', dialect))) as Mutable;
  change(document);
  return (await linter.run(document)).map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
}

for (const dialect of ['3.1', '3.0'] as const) {
  longTest(`Spectral finds nothing in the document of ${dialect}, by all its rules`, { timeout: 120_000 }, async () => {
    expect(await foundBySpectral(dialect)).toEqual([]);
  });
}

longTest('Spectral would find a parameter without words', { timeout: 120_000 }, async () => {
  const strip = (document: Mutable): void => {
    const [first] = member(document, 'paths', '/records', 'get')['parameters'] as Mutable[];
    delete first?.['description'];
  };
  expect(await foundBySpectral('3.1', strip)).toEqual([expect.stringMatching(/^oas3-parameter-description: /)]);
});
