/** Kinds that the server knows at all, served or not: a body of another one is refused in other words. */
import { groupVersionFolders, kindsOf } from '@coxswain/api/group-versions.ts';

let known: ReadonlySet<string> | undefined;

export const isKindRegistered = (apiVersion: string, kind: string): boolean =>
  (known ??= allKinds()).has(`${apiVersion} ${kind}`);

const allKinds = (): ReadonlySet<string> =>
  new Set(
    groupVersionFolders.flatMap((folder) =>
      kindsOf(folder).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
    ),
  );
