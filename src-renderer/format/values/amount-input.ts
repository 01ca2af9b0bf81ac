/** An amount as a person types it, `1234.5` or `1234,5`, in minor units by text arithmetic; null when it is none that can be kept exactly. */
export function minorOfText(text: string, decimalPlaces: number): number | null {
  const found = /^(\d{1,16})(?:[.,](\d*))?$/.exec(text.trim());
  const fraction = found?.[2] ?? '';
  if (found === null || fraction.length > decimalPlaces) return null;
  const minor = Number(`${found[1]}${fraction.padEnd(decimalPlaces, '0')}`);
  return Number.isSafeInteger(minor) ? minor : null;
}
