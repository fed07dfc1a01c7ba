/** The namespace that the pages are limited to. It makes them useful to someone who may not read whole clusters. */

import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import type { ApiResource, ResourceClient } from '@coxswain/client';
import { computed, signal } from '@preact/signals';
import { tryAgain } from './attempt.ts';
import { facts, resourceIn } from './cluster.ts';
import type { LiveSpec } from './use-live.ts';

/** One page after another may show different clusters under the same address. */
const storageKey = computed(() => `coxswain-namespace ${facts.value.cluster} ${facts.value.clusterId}`);

const chosen = signal<string | undefined>(undefined);

/** Undefined: all namespaces. */
export const scope = computed(() => (chosen.value ?? localStorage.getItem(storageKey.value)) || undefined);

/** Every page reads again. @param namespace undefined for all namespaces */
export function limitTo(namespace: string | undefined): void {
  chosen.value = namespace ?? '';
  localStorage.setItem(storageKey.value, chosen.value);
  tryAgain();
}

/** The objects of the kind within the limit; all of them if the kind has no namespaces. */
export const inScope = (kind: ApiResource): ResourceClient =>
  resourceIn(kind, kind.namespaced ? scope.value : undefined);

interface ScopedSpec<T extends KubeObject, K extends KubeObject> {
  readonly key: string;
  readonly kind: GroupVersionResource;
  readonly sourceOf: (resource: ResourceClient<T>) => LiveSpec<K>['source'];
}

/** Objects within the limit as it is when they are asked for. */
export const scopedSpec =
  <T extends KubeObject, K extends KubeObject>({ key, kind, sourceOf }: ScopedSpec<T, K>) =>
  (): LiveSpec<K> => ({
    key: `${key} ${scope.value ?? ''}`,
    source: sourceOf(resourceIn(kind, scope.value) as ResourceClient<T>),
  });
