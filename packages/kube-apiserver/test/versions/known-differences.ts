/** Recorded cases of earlier versions that this server answers otherwise, each with the reason. Everything else has to agree. */

const remembered =
  'Whether an image volume has a default is known only once it is dropped: who set the default is remembered.';

export const knownDifferences: Readonly<Record<string, string>> = {
  'defaulting-pod/volumes-common-fields': remembered,
  'validation-pod/volumes-6': remembered,
};
