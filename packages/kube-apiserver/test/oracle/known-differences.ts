/** Recorded cases that this server answers otherwise, each with the reason. Everything else has to agree. */
export const knownDifferences: Readonly<Record<string, string>> = {
  'crud/put-creates-some-kinds': 'an empty list that was sent is read as none, so its field gets no owner',
  'encoding/memory-quantities': 'no warning about quantities of memory with a fraction of a byte',
  'patch/patch-identity': 'the message quotes the patched object with an emptied creationTimestamp',
};
