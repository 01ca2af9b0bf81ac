import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LOOPBACK } from '../../../src-shared/values/network.ts';
import type { Dispatch } from '../../service/handler.ts';
import { pathOf, sendFailure } from './errors.ts';
import type { SheetLink } from './routes.ts';

/** Files of the add-in for Excel with their types. They hold no data, so they need no key. */
const FILES: Readonly<Record<string, string>> = {
  'manifest.xml': 'application/xml; charset=utf-8',
  'taskpane.html': 'text/html; charset=utf-8',
  'taskpane.css': 'text/css; charset=utf-8',
  'taskpane.js': 'text/javascript; charset=utf-8',
  'functions.js': 'text/javascript; charset=utf-8',
  'functions.json': 'application/json; charset=utf-8',
  'worker.js': 'text/javascript; charset=utf-8',
  'icon-16.png': 'image/png',
  'icon-32.png': 'image/png',
  'icon-64.png': 'image/png',
  'icon-80.png': 'image/png',
};
const MANIFEST = '/office/manifest.xml';

/** The addresses of the add-in. */
export const ADD_IN_ADDRESSES: readonly string[] = Object.keys(FILES).map((name) => `/office/${name}`);

/** The address of the ready workbook behind a sheet link. */
export const LINK_WORKBOOK = '/sheet/{token}/workbook';

/** Allows the library of Excel, which Microsoft serves alone, and reading figures of this computer. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' https://appsforoffice.microsoft.com https://ajax.aspnetcdn.com",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' http://127.0.0.1:* http://localhost:* https://*.microsoft.com https://*.office.com https://*.office.net",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The origin that the files of the add-in name; the one that answers takes its place. */
const WRITTEN_ORIGIN = 'http://localhost:4690';

/** Serves the add-in for Excel under `/office`. Excel knows this computer as `localhost`. */
export function registerAddIn(app: FastifyInstance, folder: string, baseUrl: () => string): void {
  for (const [name, type] of Object.entries(FILES)) {
    const address = `/office/${name}`;
    app.get(address, (_request, reply) => {
      const origin = new URL(baseUrl()).origin.replace(`//${LOOPBACK}:`, '//localhost:');
      const content = readFileSync(path.join(folder, name));
      reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': POLICY }).type(type);
      if (address !== MANIFEST) return reply.send(content);
      return reply
        .header('content-disposition', 'attachment; filename="tieout-excel.xml"')
        .send(content.toString().replaceAll(WRITTEN_ORIGIN, origin));
    });
  }
}

/** Returns a workbook that reads the named reconciliation by a link. */
export type LinkWorkbook = (reconciliation: string, link: string) => Promise<Uint8Array>;

/** Serves the ready workbook behind the token of a sheet link, with the address by which it was asked for. */
export function registerLinkWorkbook(
  app: FastifyInstance,
  dispatch: Dispatch,
  linkOf: (request: FastifyRequest) => SheetLink,
  workbookOf: LinkWorkbook,
): void {
  app.get(LINK_WORKBOOK.replace('{token}', ':token'), async (request, reply) => {
    const { caller, reconciliationId } = linkOf(request);
    const answer = await dispatch('figures.matched', { id: reconciliationId }, caller);
    if (!answer.ok) return sendFailure(request, reply, answer.error);
    const { reconciliation } = answer.value as { readonly reconciliation: string };
    const link = `http://${request.headers.host ?? ''}${pathOf(request).replace(/\/workbook$/, '')}`;
    const bytes = await workbookOf(reconciliation, link);
    return reply
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .header('content-disposition', 'attachment; filename="tieout-figures.xlsx"')
      .send(Buffer.from(bytes));
  });
}
