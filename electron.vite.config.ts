import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import packageFile from './package.json' with { type: 'json' };

const source = (name: string): string => path.resolve(import.meta.dirname, name);

/** Packages in the main bundle, since every thread would read their hundreds of small files one by one as it begins. */
const IN_MAIN_BUNDLE = ['kysely', 'zod', 'electron-updater'];

/** Drivers of engines elsewhere: a person who names such an engine installs its driver. */
const DRIVERS = Object.keys(packageFile.peerDependencies);

/**
 * The parts of pdfjs that read text and draw pages, which the build copies: the package as a whole is 38 MB and installs a library that draws outside of
 * a window, which nothing here uses. They are beside the window, which draws pages; the thread that reads text takes them from there.
 */
const PDFJS = 'pdfjs-dist';
const PDFJS_PARTS = /^(?:legacy\/build\/pdf(?:\.worker)?\.min\.mjs|(?:cmaps|standard_fonts)\/[^/]+|LICENSE)$/;

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Returns the folder of a package as Node finds it from another folder, or null where it is not installed (an optional one). */
function packageFolder(name: string, from: string): string | null {
  const folder = path.join(from, 'node_modules', name);
  if (fs.existsSync(folder)) return folder;
  return from === import.meta.dirname ? null : packageFolder(name, path.dirname(from));
}

/** Adds the folders of the named packages and of all that they depend on. */
function addPackages(names: readonly string[], from: string, folders: Set<string>): void {
  for (const name of names) {
    const folder = packageFolder(name, from);
    if (folder === null || folders.has(folder)) continue;
    folders.add(folder);
    const { dependencies = {} } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageFile;
    addPackages(Object.keys(dependencies), folder, folders);
  }
}

/** Returns the name, the version and all licence and notice texts of a package. */
function notice(folder: string): string {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageFile;
  const files = fs
    .readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file) && fs.statSync(path.join(folder, file)).isFile());
  const texts = files.toSorted().map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
}

/** Writes `licences.txt`: the licences of all packages that are in the bundles or beside them. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      addPackages([...Object.keys(packageFile.dependencies), ...IN_MAIN_BUNDLE, PDFJS], import.meta.dirname, folders);
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
          const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/')) ?? [];
          if (folder?.startsWith('/') || /^[A-Za-z]:/.test(folder ?? '')) folders.add(path.normalize(folder ?? ''));
        }
      }
      const notices = [...folders].map(notice).toSorted();
      const head = `Tieout contains ${notices.length} packages of others, under these licences.`;
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: [head, ...new Set(notices)].join(`\n\n${'-'.repeat(80)}\n\n`) });
    },
  };
}

/** Copies the parts of pdfjs beside the window, in the folders that they have in its package. */
function pdfjs(): Plugin {
  const folder = source(`node_modules/${PDFJS}`);
  return {
    name: 'pdfjs',
    generateBundle() {
      for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const file = name.replaceAll('\\', '/');
        if (!PDFJS_PARTS.test(file)) continue;
        const fileName = `pdfjs/${file.replace('pdf.worker.min.mjs', 'pdf.worker.mjs')}`;
        this.emitFile({ type: 'asset', fileName, source: fs.readFileSync(path.join(folder, name)) });
      }
    },
  };
}

const CATALOGUE = /src-shared[\\/]words[\\/](?!say|catalogue)\w+\.ts$/;

/** Returns every key that the code of the window, and of what it shares with the service, names. It names each whole. */
function keysOfWindow(): ReadonlySet<string> {
  const files = ['src-renderer', 'src-shared'].flatMap((folder) =>
    fs.readdirSync(source(folder), { recursive: true, encoding: 'utf8' }).map((name) => source(path.join(folder, name))),
  );
  const code = files.filter((file) => /\.tsx?$/.test(file) && !CATALOGUE.test(file)).map((file) => fs.readFileSync(file, 'utf8'));
  return new Set(code.flatMap((text) => [...text.matchAll(/['"]([a-z]\w*(?:\.\w+)+)['"]/gi)].map(([, key = '']) => key)));
}

/** Leaves out of the window what only the service or the command line says, which is more than half of the catalogue. */
function wordsOfWindow(): Plugin {
  let said: ReadonlySet<string> = new Set();
  return {
    name: 'words-of-window',
    apply: 'build',
    enforce: 'pre',
    buildStart: () => void (said = keysOfWindow()),
    load: async (id) => (CATALOGUE.test(id) ? await wordsSaid(id, said) : null),
  };
}

/** Returns the code of a file of the catalogue with these keys alone. */
export async function wordsSaid(file: string, said: ReadonlySet<string> = keysOfWindow()): Promise<string> {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const exported = Object.entries(module).map(([name, words]) => {
    const kept = Object.entries(words).filter(([key]) => said.has(key));
    return `export const ${name} = ${JSON.stringify(Object.fromEntries(kept))};`;
  });
  return exported.join('\n');
}

/**
 * Three bundles. Packages of `dependencies` stay outside the main bundle (better-sqlite3 brings its own binary). The preload is one CommonJS file
 * because a sandboxed preload may require nothing but electron; the renderer carries all it needs.
 */
export default defineConfig({
  main: {
    build: {
      externalizeDeps: { include: DRIVERS },
      rolldownOptions: {
        input: {
          main: source('src-main/main.ts'),
          cli: source('src-main/cli.ts'),
          'backend-worker': source('src-main/backend/worker.ts'),
          'job-worker': source('src-main/backend/job-worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        // A part of the domain is entered by one file: a thread loads what it uses of it, not all that the file leads to.
        treeshake: { moduleSideEffects: [{ test: /[\\/]src-main[\\/]domain[\\/]/, sideEffects: false }] },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: source('src-main/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: source('src-renderer'),
    plugins: [react(), wordsOfWindow(), pdfjs(), licences()],
    build: {
      minify: true,
      rolldownOptions: { input: { index: source('src-renderer/index.html') } },
    },
  },
});
