/** The names of JSON types in Go's decoder messages. */
export const jsonKind = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
