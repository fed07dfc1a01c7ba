/** All groups in discovery: the server's own, and those of extension servers, by priority. */
import type { ApiGroup, ApiVersion } from '@coxswain/apiserver';
import { compareVersions } from '../version-priority.ts';
import { customResourcePriority, priorityOf, type Priority } from '../bootstrap/local-api-services.ts';
import type { RemoteVersion } from './remote-groups.ts';

type Remotes = ReadonlyMap<string, RemoteVersion>;

export class ServedGroups {
  /** Each server of the chain registers its groups here. */
  readonly aggregator = new Map<string, ApiGroup>();
  readonly kubeApiServer = new Map<string, ApiGroup>();
  readonly apiExtensions = new Map<string, ApiGroup>();
  /** Group versions of extension servers, by the names of their APIServices. */
  readonly remotes: () => Remotes;
  #knownOwn: readonly ApiGroup[] = [];
  #knownRemotes: Remotes | undefined;
  #ordered: readonly ApiGroup[] = [];

  constructor(remotes: () => Remotes) {
    this.remotes = remotes;
  }

  /** Sorted again only when a group was added, removed or replaced: otherwise the same array. */
  readonly all = (): readonly ApiGroup[] => {
    const remotes = this.remotes();
    if (remotes === this.#knownRemotes && this.#ownAreKnown()) return this.#ordered;
    this.#knownOwn = this.#own.flatMap((groups) => [...groups.values()]);
    this.#knownRemotes = remotes;
    this.#ordered = inDiscoveryOrder(withRemotes(this.#knownOwn, remotes), remotes);
    return this.#ordered;
  };

  get #own(): readonly ReadonlyMap<string, ApiGroup>[] {
    return [this.aggregator, this.kubeApiServer, this.apiExtensions];
  }

  /** Asked hundreds of times for a write with many policies. */
  #ownAreKnown(): boolean {
    let at = 0;
    for (const groups of this.#own)
      for (const group of groups.values()) if (group !== this.#knownOwn[at++]) return false;
    return at === this.#knownOwn.length;
  }
}

/** A version of an extension server replaces the server's own one. */
function withRemotes(groups: readonly ApiGroup[], remotes: Remotes): readonly ApiGroup[] {
  if (remotes.size === 0) return groups;
  const byName = new Map(groups.map((group) => [group.name, group]));
  for (const { apiService, known } of remotes.values()) {
    const { group: name = '', version = '' } = apiService.spec ?? {};
    const others = byName.get(name)?.versions.filter((one) => one.version !== version) ?? [];
    const versions = [...others, { version, resources: {}, elsewhere: known }].toSorted(
      (a, b) =>
        priorityIn(remotes, name, b).version - priorityIn(remotes, name, a).version ||
        compareVersions(a.version, b.version),
    );
    byName.set(name, { name, versions });
  }
  return [...byName.values()];
}

function priorityIn(
  remotes: Remotes,
  group: string,
  { version, elsewhere, resources }: ApiVersion,
): Priority {
  const spec = elsewhere && remotes.get(`${version}.${group}`)?.apiService.spec;
  if (spec !== undefined) return { group: spec.groupPriorityMinimum, version: spec.versionPriority };
  const isCustom = Object.values(resources).some(({ custom }) => custom !== undefined);
  return isCustom ? customResourcePriority : priorityOf(group, version);
}

/** The aggregator's own group first, then by the priority of groups; by name among equals. */
function inDiscoveryOrder(groups: readonly ApiGroup[], remotes: Remotes): readonly ApiGroup[] {
  const rank = ({ name, versions }: ApiGroup) =>
    name === 'apiregistration.k8s.io'
      ? Infinity
      : Math.max(...versions.map((version) => priorityIn(remotes, name, version).group));
  return groups.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? (a.name < b.name ? -1 : 1) : right - left;
  });
}
