/** A part of a statement, with the values to bind. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (number | string)[];
}

export function sqlOf(text: string, ...values: readonly (number | string)[]): Sql {
  return { text, values };
}

export function joined(parts: readonly Sql[], between: string): Sql {
  return { text: parts.map((part) => part.text).join(between), values: parts.flatMap((part) => part.values) };
}
