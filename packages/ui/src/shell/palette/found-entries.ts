/** The results of the palette: pages, kinds, and objects by name. */

import type { ApiResource } from '@coxswain/client';
import { listedKinds } from '../../cluster/kinds.ts';
import { inScope } from '../../cluster/scope.ts';
import type { IconName } from '../../design/icon.tsx';
import { explorerPath, objectPath } from '../../navigation/paths.ts';
import { pages } from '../../pages/pages.ts';

export interface Entry {
  readonly path: string;
  readonly title: string;
  /** Describes the entry, beside its title. */
  readonly note: string;
  readonly icon: IconName;
  /** The text to search, in lower case; matches in earlier words rank higher. */
  readonly words: readonly string[];
}

export const pageEntries = (): readonly Entry[] =>
  pages
    .filter(({ navigation }) => navigation !== undefined && navigation.isShown?.() !== false)
    .map(({ room, title, navigation }) => ({
      path: `/${room}`,
      title: title(),
      note: '',
      icon: navigation!.icon,
      words: [title().toLowerCase(), room],
    }));

export const kindEntries = (): readonly Entry[] =>
  listedKinds.value.map((kind) => ({
    path: explorerPath(kind),
    title: kind.kind,
    note: kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`,
    icon: 'custom',
    words: [kind.resource, ...kind.shortNames, kind.kind.toLowerCase(), `${kind.resource}.${kind.group}`],
  }));

/** Kinds whose objects are commonly looked up by name, those first that are meant where several have it. */
const soughtKinds: readonly string[] = [
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'pods',
  'jobs.batch',
  'cronjobs.batch',
  'services',
  'ingresses.networking.k8s.io',
  'configmaps',
  'secrets',
  'nodes',
  'namespaces',
  'persistentvolumeclaims',
  'serviceaccounts',
];

const namesMax = 500;

/** The first objects of each kind, without kinds that the user may not list. */
export async function objectEntries(signal: AbortSignal): Promise<readonly Entry[]> {
  const sought = soughtKinds.flatMap(
    (name) =>
      listedKinds.value.find(
        ({ group, resource }) => name === (group === '' ? resource : `${resource}.${group}`),
      ) ?? [],
  );
  const lists = await Promise.all(sought.map((kind) => namesOf(kind, signal).catch(() => [])));
  return lists.flat();
}

async function namesOf(kind: ApiResource, signal: AbortSignal): Promise<readonly Entry[]> {
  const { items } = await inScope(kind).metadataOnly().list({ limit: namesMax, signal });
  return items.map(({ metadata: { namespace, name = '' } }) => ({
    path: objectPath(kind, namespace, name),
    title: name,
    note: namespace === undefined ? kind.kind : `${kind.kind} · ${namespace}`,
    icon: 'workload',
    words: [name],
  }));
}

/** Best match first: equal, then prefix, then substring. All words of the query must match. */
export function found(entries: readonly Entry[], sought: string, max: number): readonly Entry[] {
  const parts = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return entries.slice(0, max);
  const ranked = entries.flatMap((entry) => {
    const ranks = parts.map((part) => rankOf(entry, part));
    return ranks.includes(Infinity) ? [] : [{ entry, rank: Math.max(...ranks) }];
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, max)
    .map(({ entry }) => entry);
}

function rankOf({ words, note }: Entry, part: string): number {
  const ranks = words.map((word, index) => {
    if (word === part) return index / 100;
    if (word.startsWith(part)) return 1 + index / 100;
    return word.includes(part) ? 2 + index / 100 : Infinity;
  });
  return Math.min(...ranks, note.toLowerCase().includes(part) ? 3 : Infinity);
}
