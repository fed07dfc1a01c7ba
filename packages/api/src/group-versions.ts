/** The group versions by their directories, such as `core/v1`, and their kinds. */

import type { Kind } from '@coxswain/schema';
import * as versions from './versions.ts';

type DirectoryOf<Name> = Name extends `${infer Group}_${infer Version}` ? `${Group}/${Version}` : never;

export type GroupVersionDirectory = DirectoryOf<keyof typeof versions>;

const modules: ReadonlyMap<GroupVersionDirectory, object> = new Map(
  Object.entries(versions).map(([name, module]) => [name.replace('_', '/') as GroupVersionDirectory, module]),
);

export const groupVersionDirectories: readonly GroupVersionDirectory[] = [...modules.keys()];

const isKind = (value: unknown): value is Kind =>
  typeof value === 'object' && value !== null && 'listType' in value && 'apiVersion' in value;

const known = new Map<GroupVersionDirectory, readonly Kind[]>();

/** The kinds of one group version. */
export function kindsOf(directory: GroupVersionDirectory): readonly Kind[] {
  let kinds = known.get(directory);
  if (kinds === undefined)
    known.set(directory, (kinds = Object.values(modules.get(directory) ?? {}).filter(isKind)));
  return kinds;
}
