import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const STORY_LIMITS = { links: 100 } as const;

const role = z.enum(['origin', 'continuation']);

const linkedStream = z.object({ id: common.id, name: z.string() }).meta({ id: 'LinkedStream' });

const storyLink = z
  .object({
    id: common.id,
    position: z.int().meta({ description: 'From 1, without gaps' }),
    role: role.meta({ description: 'The link at position 1 is the origin, all others continue the chain' }),
    reconciliation_id: common.id,
    reconciliation_name: z.string(),
    shared_data_stream_id: common.id.nullable().meta({
      description:
        'The stream of this and of the previous reconciliation that connects them; null for the origin, and while no such stream is named any more (a reconciliation between them was deleted, or gave up the stream)',
    }),
    shared_data_stream_name: z.string().nullable(),
    side_a_streams: z.array(linkedStream),
    side_b_streams: z.array(linkedStream),
  })
  .meta({ id: 'StoryLink' });
export type StoryLink = z.output<typeof storyLink>;

const story = z.object({ id: common.id, name: z.string(), created_at: common.timestamp, links: z.array(storyLink) }).meta({ id: 'Story' });
export type Story = z.output<typeof story>;

const storyLinkInput = z
  .strictObject({
    reconciliation_id: common.idInput,
    position: z.int().min(1).max(STORY_LIMITS.links).optional().meta({ description: 'Default: the place in the list' }),
    role: role.optional().meta({ description: 'Default: origin at position 1, else continuation' }),
    shared_data_stream_id: common.idInput.nullable().optional(),
  })
  .meta({ id: 'StoryLinkInput' });
const linksInput = z.array(storyLinkInput).max(STORY_LIMITS.links);
/** A requested link, with ids as integers. */
export type StoryLinkInput = z.output<typeof storyLinkInput>;

export const stories = {
  'stories.create': operation({
    id: 'stories.create',
    method: 'POST',
    path: '/reconciliation_stories',
    summary: 'Create a story: reconciliations in an ordered chain, each connected to the previous one by a data stream of both',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({ name: common.name, links: linksInput.optional() }),
    output: story,
    errors: ['unknown_reference', 'invalid_story'],
    example: {
      name: 'Month end',
      links: [
        { reconciliation_id: '1', position: 1, role: 'origin' },
        { reconciliation_id: '2', position: 2, role: 'continuation', shared_data_stream_id: '1' },
      ],
    },
  }),
  'stories.list': operation({
    id: 'stories.list',
    method: 'GET',
    path: '/reconciliation_stories',
    summary: 'All stories, newest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject(common.listPart),
    output: z.object({ data: z.array(story) }).meta({ id: 'Stories' }),
    example: {},
  }),
  'stories.get': operation({
    id: 'stories.get',
    method: 'GET',
    path: '/reconciliation_stories/{id}',
    summary: 'One story',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: story,
    example: { id: '1' },
  }),
  'stories.update': operation({
    id: 'stories.update',
    method: 'PATCH',
    path: '/reconciliation_stories/{id}',
    summary: 'Change the name of a story; `links` replaces its whole chain, without it the chain stays',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, name: common.name.optional(), links: linksInput.optional() }),
    output: story,
    errors: ['unknown_reference', 'invalid_story'],
    example: { id: '1', links: [{ reconciliation_id: '2' }] },
  }),
  'stories.remove': operation({
    id: 'stories.remove',
    method: 'DELETE',
    path: '/reconciliation_stories/{id}',
    summary: 'Delete a story; its reconciliations stay',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    example: { id: '1' },
  }),
} as const;
