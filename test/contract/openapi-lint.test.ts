import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { isNode } from '../../src-main/transport/openapi/json-schema.ts';
import { openApiDocument } from '../../src-main/transport/openapi/openapi.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { quickTest, some } from '../support/long.ts';

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
