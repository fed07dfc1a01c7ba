/** Kinds that the server knows at all, served or not: a body of another one is refused in other words. */
import { groupVersionFolders, kindsOf } from '@coxswain/api/group-versions.ts';
import type { Kind } from '@coxswain/schema';

let known: ReadonlyMap<string, Kind> | undefined;

export const registeredKind = (apiVersion: string, kind: string): Kind | undefined =>
  (known ??= allKinds()).get(`${apiVersion} ${kind}`);

const allKinds = (): ReadonlyMap<string, Kind> =>
  new Map(
    groupVersionFolders.flatMap((folder) =>
      kindsOf(folder).map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind] as const),
    ),
  );
