import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { DOCS_STYLE } from './docs-style.ts';
import type { JsonSchema } from './json-schema.ts';

/** Its own style sheet and nothing else: no script, no image, no address outside. */
const POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The addresses of the documentation; they need no key, since they tell nothing of the book. */
export const DOCS_ADDRESSES = ['/docs', '/docs/style.css'] as const;

/** Serves `/docs`, made of the OpenAPI document when it is first asked for. */
export function registerDocs(app: FastifyInstance, document: () => JsonSchema, baseUrl: () => string): void {
  let page: string | null = null;
  const [pageAddress, styleAddress] = DOCS_ADDRESSES;
  app.get(pageAddress, (_request, reply) => {
    page ??= docsPage(document(), baseUrl());
    return reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' }).type('text/html; charset=utf-8').send(page);
  });
  app.get(styleAddress, (_request, reply) => reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(DOCS_STYLE));
}
