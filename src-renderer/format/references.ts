/** The fields of a record that its reference can come from. */
interface Referenced {
  readonly external_id: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the text by which a person would look a line up: the stream's reference field, else the external id. */
export function referenceOf(line: Referenced, referenceField: string | null): string | null {
  if (referenceField?.startsWith('metadata.') === true)
    return textOf(line.metadata[referenceField.slice('metadata.'.length)]) ?? line.external_id;
  if (referenceField === 'description') return line.external_id ?? line.description;
  return line.external_id;
}

/** Returns the other fields of a record as text, in the order of the file. */
export function fieldsOf(line: Referenced): { readonly name: string; readonly text: string }[] {
  return Object.entries(line.metadata).flatMap(([name, value]) => {
    const text = textOf(value) ?? (value === null || value === undefined || value === '' ? null : JSON.stringify(value));
    return text === null ? [] : [{ name, text }];
  });
}
