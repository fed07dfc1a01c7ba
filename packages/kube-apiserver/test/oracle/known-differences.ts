/** Recorded cases that this server answers otherwise, each with the reason. Everything else has to agree. */
export const knownDifferences: Readonly<Record<string, string>> = {
  'discovery/openapi-v2': 'OpenAPI v2 is served as JSON only, and names `fieldManager` inline on creates',
  'discovery/openapi-v3': 'OpenAPI v3 is served as JSON only',
  'crud/put-creates-some-kinds': 'an empty list that was sent is read as none, so its field gets no owner',
  'encoding/memory-quantities': 'no warning about quantities of memory with a fraction of a byte',
  'patch/patch-identity': 'the message quotes the patched object with an emptied creationTimestamp',
};
