import { z } from 'zod';

/** A node of JSON Schema 2020-12, as plain JSON. */
export type JsonSchema = { readonly [member: string]: unknown };

/** A schema with the named schemas it refers to as `#/$defs/Name`. */
interface NamedSchema {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns the JSON Schema of a wire schema: `input` is what a caller may send, `output` what it gets. The schema is wrapped for the conversion,
 * because zod names only schemas below the root.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): NamedSchema {
  const root = z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any' }) as {
    properties?: Record<string, JsonSchema>;
    $defs?: Record<string, JsonSchema>;
  };
  return { schema: root.properties?.root ?? {}, definitions: root.$defs ?? {} };
}

/** Whether a JSON value is an object, and so has members. */
export function isNode(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
