/** The kinds that the server serves, including custom ones. They are read again when definitions change. */

import type { ApiResource } from '@coxswain/client';
import { computed, signal } from '@preact/signals';
import { client } from './cluster.ts';

export interface Kinds {
  readonly isLoading: boolean;
  readonly failure: unknown;
  readonly resources: readonly ApiResource[];
}

const state = signal<Kinds>({ isLoading: true, failure: undefined, resources: [] });

export const kinds = computed(() => state.value);

/** The kinds that can be listed, each group and resource in its preferred version. */
export const listedKinds = computed(() => {
  const seen = new Set<string>();
  return state.value.resources.filter(({ group, resource, verbs }) => {
    const key = `${group}/${resource}`;
    return verbs.includes('list') && !seen.has(key) && seen.add(key);
  });
});

export async function readKinds(): Promise<void> {
  client.discovery.invalidate();
  try {
    const { resources } = await client.discovery.discover();
    state.value = { isLoading: false, failure: undefined, resources };
  } catch (failure) {
    state.value = { ...state.value, isLoading: false, failure };
  }
}

export const kindOf = (group: string, version: string, resource: string): ApiResource | undefined =>
  state.value.resources.find(
    (known) => known.group === group && known.version === version && known.resource === resource,
  );

/** The resource of a kind, as named by owner references and events. */
export const resourceOfKind = (apiVersion: string, kind: string): ApiResource | undefined => {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const matching = state.value.resources.filter((known) => known.group === group && known.kind === kind);
  return matching.find((known) => known.version === version) ?? matching[0];
};

/** `NetworkPolicies`: the plural of the kind, formed as that of its resource. */
export function pluralOf({ kind, resource }: ApiResource): string {
  const lower = kind.toLowerCase();
  const stem = resource.startsWith(lower) ? lower.length : lower.length - 1;
  return kind.slice(0, stem) + resource.slice(stem);
}

/** Whether a kind is of Kubernetes itself, as recognized by its group. */
export const isBuiltIn = ({ group }: ApiResource): boolean =>
  !group.includes('.') || group.endsWith('.k8s.io');
