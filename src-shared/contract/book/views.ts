import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

/** Lists whose filter can be kept under a name. */
const VIEWED_LISTS = ['open', 'proposed', 'matched', 'records', 'exceptions', 'history'] as const;

/** The fields of a filter as a person typed them, by their names in the window. */
const viewFilter = z
  .record(z.string().regex(/^[a-z_]{1,40}$/i, 'must be of letters'), z.string().max(common.LIMITS.searchLength))
  .refine((filter) => Object.keys(filter).length <= 20, 'must have at most 20 fields');

const savedView = z
  .object({ id: common.id, list: z.enum(VIEWED_LISTS), name: z.string(), filter: z.record(z.string(), z.string()) })
  .meta({ id: 'SavedView' });
export type SavedView = z.output<typeof savedView>;
export type ViewedList = SavedView['list'];

const viewName = z.string().trim().min(1).max(60);

export const views = {
  'views.list': operation({
    id: 'views.list',
    method: 'GET',
    path: '/views',
    summary: 'The filters that people kept under a name, by name; those of one list or of all',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ list: z.enum(VIEWED_LISTS).optional() }),
    output: z.array(savedView),
    example: { list: 'open' },
  }),
  'views.create': operation({
    id: 'views.create',
    method: 'POST',
    path: '/views',
    summary: 'Keep the filter of a list under a name, which no other view of this list has',
    surface: 'app',
    permission: 'read_write',
    inverse: 'views.remove',
    status: 201,
    input: z.strictObject({ list: z.enum(VIEWED_LISTS), name: viewName, filter: viewFilter }),
    output: savedView,
    errors: ['conflict'],
    example: { list: 'open', name: 'Large and old', filter: { search: '>1000 age:>30' } },
  }),
  'views.update': operation({
    id: 'views.update',
    method: 'PATCH',
    path: '/views/{id}',
    summary: 'Rename a view, or give it another filter',
    surface: 'app',
    permission: 'read_write',
    inverse: 'views.update',
    status: 200,
    input: z.strictObject({ id: common.idInput, name: viewName.optional(), filter: viewFilter.optional() }),
    output: savedView,
    errors: ['conflict'],
    example: { id: '1', name: 'Larger and older' },
  }),
  'views.remove': operation({
    id: 'views.remove',
    method: 'DELETE',
    path: '/views/{id}',
    summary: 'Delete a view',
    surface: 'app',
    permission: 'read_write',
    inverse: 'views.restore',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    example: { id: '1' },
  }),
  'views.restore': operation({
    id: 'views.restore',
    method: 'POST',
    path: '/views/{id}/restore',
    summary: 'Bring a deleted view back; one whose name another view has by now stays deleted',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: savedView,
    errors: ['conflict'],
    example: { id: '1' },
  }),
} as const;
