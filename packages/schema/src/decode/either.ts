/** Upstream's decoder of a schema or a list of schemas ignores everything else, and writes an empty list as nothing. */
export const isNeitherSchemaNorList = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : typeof value !== 'object' || value === null;
