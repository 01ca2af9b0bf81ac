import { z } from 'zod';

/** A node of JSON Schema 2020-12, as plain JSON. */
export type JsonSchema = { readonly [member: string]: unknown };

/** A schema with the named schemas it refers to as `#/$defs/Name`. */
interface NamedSchema {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** The dialects of OpenAPI: 3.1 has JSON Schema 2020-12; many generators read 3.0 only, which has a dialect of its own. */
export type OpenApiDialect = '3.1' | '3.0';

/**
 * Returns the JSON Schema of a wire schema: `input` is what a caller may send, `output` what it gets. The schema is wrapped for the conversion,
 * because zod names only schemas below the root.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', dialect: OpenApiDialect = '3.1'): NamedSchema {
  const target = dialect === '3.1' ? 'draft-2020-12' : 'openapi-3.0';
  const root = z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any', target }) as {
    properties?: Record<string, JsonSchema>;
    $defs?: Record<string, JsonSchema>;
    definitions?: Record<string, JsonSchema>;
  };
  return { schema: root.properties?.root ?? {}, definitions: root.$defs ?? root.definitions ?? {} };
}

/** Whether a JSON value is an object, and so has members. */
export function isNode(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
