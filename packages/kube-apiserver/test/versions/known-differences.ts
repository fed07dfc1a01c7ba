/**
 * Recorded cases of earlier versions with different responses of this server, each with the reason. All others must
 * agree.
 */

const remembered =
  'Whether an image volume has a default is known only once it is dropped: who set the default is remembered.';

export const knownDifferences: Readonly<Record<string, string>> = {
  'defaulting-pod/volumes-common-fields': remembered,
  'validation-pod/volumes-6': remembered,
};
