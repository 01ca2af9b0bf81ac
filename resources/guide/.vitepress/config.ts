import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import answers from '../answers.data.ts';

/** Address of the guide within the window's files. */
const BASE = '/guide/';
const RESOURCES = path.resolve(import.meta.dirname, '../..');

const scripts = new Map<string, string>();

/**
 * Returns a page whose inline scripts are files instead. The guide is served under the policy of the window, which runs no inline script. `buildEnd`
 * writes the files.
 */
function withoutInlineScripts(html: string): string {
  return html.replaceAll(/<script([^>]*)>([^<]+)<\/script>/g, (_, attributes: string, code: string) => {
    const name = `assets/inline-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
    scripts.set(name, code);
    return `<script${attributes} src="${BASE}${name}"></script>`;
  });
}

export default defineConfig({
  title: 'Tieout guide',
  description: 'How to reconcile a bank account with your books in Tieout, on your own computer',
  lang: 'en',
  base: BASE,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}tieout.svg` }]],
  transformHtml: withoutInlineScripts,
  buildEnd({ outDir }) {
    for (const [name, code] of scripts) fs.writeFileSync(path.join(outDir, name), code);
    fs.mkdirSync(path.join(outDir, 'schemas'), { recursive: true });
    for (const { file, schema } of answers.load()) fs.writeFileSync(path.join(outDir, 'schemas', file), schema);
    fs.copyFileSync(path.join(RESOURCES, 'icons/tieout.svg'), path.join(outDir, 'tieout.svg'));
    fs.cpSync(path.join(RESOURCES, 'samples'), path.join(outDir, 'samples'), { recursive: true });
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'A month',
        items: [
          { text: 'Your first hour', link: '/first-hour' },
          { text: 'Files', link: '/files' },
          { text: 'PDF statements', link: '/pdf' },
          { text: 'Matching', link: '/matching' },
          { text: 'Closing the month', link: '/month-end' },
        ],
      },
      {
        text: 'How it decides',
        items: [
          { text: 'Likelihood and budget', link: '/likelihood' },
          { text: 'Rules', link: '/rules' },
        ],
      },
      {
        text: 'Beyond the window',
        items: [
          { text: 'Spreadsheets', link: '/local-address' },
          { text: 'The interface', link: '/interface' },
          { text: 'The command line', link: '/command-line' },
          { text: 'Answers as JSON', link: '/answers' },
          { text: 'Two computers', link: '/sync' },
          { text: 'When a laptop is too small', link: '/large' },
        ],
      },
      {
        text: 'When something is wrong',
        items: [
          { text: 'How your data is kept safe', link: '/safety' },
          { text: 'Messages and what to do', link: '/troubleshooting' },
        ],
      },
    ],
  },
});
