import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import type { JsonSchema } from './json-schema.ts';

/** Style of the documentation, light or dark as the reader's system is set. */
const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --line: light-dark(#d9dce1, #3a3f47);
  --soft: light-dark(#f4f5f7, #1f2329);
  --link: light-dark(#0b57d0, #8ab4f8);
  --muted: light-dark(#545a63, #a9b0ba);
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#ffffff, #16191d); color: light-dark(#1b1f24, #e6e8eb); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem; background: var(--soft); border-right: 1px solid var(--line); }
nav > a { display: block; font-weight: 600; padding: 0.25rem 0; }
nav ul { list-style: none; margin: 0 0 0.5rem; padding: 0 0 0 1rem; font-size: 14px; }
nav summary { cursor: pointer; padding: 0.25rem 0; }
main { padding: 1.5rem 2rem 6rem; max-width: 68rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
h2 { margin: 3rem 0 1rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 0.5rem; font-size: 1.1rem; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.95rem; }
section:target > h3, tr:target { background: light-dark(#fff4c2, #4a4218); }
h1, h2, h3, p, td, summary { overflow-wrap: anywhere; }
td:first-child { overflow-wrap: normal; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: 0.75rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); }
.note { color: var(--muted); }
.method { display: inline-block; min-width: 4rem; font-weight: 700; }
.get { color: light-dark(#0b6b3a, #7ddba3); }
.post { color: light-dark(#0b57d0, #8ab4f8); }
.patch { color: light-dark(#8a5a00, #f2c46d); }
.delete { color: light-dark(#b3261e, #f2a6a0); }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; }
}
@media print { nav { display: none; } body { display: block; } }
`;

/** Allows the style sheet only: no script, no image, no other address. */
const POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The addresses of the documentation. They need no key, because they reveal nothing about the book. */
export const DOCS_ADDRESSES = ['/docs', '/docs/style.css'] as const;

/** Serves `/docs`. The page is made of the OpenAPI document at its first request. */
export function registerDocs(app: FastifyInstance, document: () => JsonSchema, baseUrl: () => string): void {
  let page: string | null = null;
  const [pageAddress, styleAddress] = DOCS_ADDRESSES;
  app.get(pageAddress, (_request, reply) => {
    page ??= docsPage(document(), baseUrl());
    return reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' }).type('text/html; charset=utf-8').send(page);
  });
  app.get(styleAddress, (_request, reply) => reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(DOCS_STYLE));
}
