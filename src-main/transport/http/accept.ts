const Q = /^q=([01](?:\.[0-9]{0,3})?)$/;

/** Returns the weights of a header such as Accept or Accept-Encoding, by lower-case name. 0 means refused. */
function acceptedWeights(header: string | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    if (name === '') continue;
    const weight = parameters.map((each) => Q.exec(each)?.[1]).find((each) => each !== undefined);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return weights;
}

export function acceptsGzip(header: string | undefined): boolean {
  const weights = acceptedWeights(header);
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Whether the header names CSV and does not prefer JSON. */
export function prefersCsv(header: string | undefined): boolean {
  const weights = acceptedWeights(header);
  const csv = weights.get('text/csv') ?? 0;
  return csv > 0 && csv >= (weights.get('application/json') ?? 0);
}

/** Whether the header names JSON itself; a wildcard does not. */
export function namesJson(header: string | undefined): boolean {
  return (acceptedWeights(header).get('application/json') ?? 0) > 0;
}
