/** What Go's decoder calls a value of JSON. */
export const jsonKind = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
