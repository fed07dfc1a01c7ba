/** Deletes everything in a namespace, pods first, and reports what is left. */

import { aggregateText, epochMsOf, isStatusError, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiResource, Discovered, KubeClient } from '@coxswain/client';
import { resources, type Namespace, type Pod } from '../objects.ts';
import { isFinished } from '../pods/pod-state.ts';
import type { Remaining } from './conditions.ts';

export interface Emptied {
  readonly remaining: Remaining;
  /** When to check again, in seconds; 0 if nothing is left. */
  readonly estimateSeconds: number;
  readonly failure?: Error;
}

/** When to check again for objects with finalizers. */
const finalizerEstimateSeconds = 15;

export async function emptyNamespace(
  client: KubeClient,
  { resources: discovered, failures }: Discovered,
  namespace: Namespace,
  clock: Clock,
): Promise<Emptied> {
  const work = new Emptying(client, namespace, clock);
  const targets = deletable(discovered);
  const pods = targets.find(({ group, resource }) => group === '' && resource === 'pods');
  // A container must not lose its Secrets while it is running.
  if (pods !== undefined) await work.empty(pods, true);
  const partial = work.objects.size > 0;
  if (!partial)
    await Promise.all(targets.filter((target) => target !== pods).map((target) => work.empty(target, false)));
  return work.result(partial, failures);
}

/** Returns each deletable namespaced resource in its preferred version. */
function deletable(discovered: readonly ApiResource[]): ApiResource[] {
  const first = new Map<string, ApiResource>();
  for (const found of discovered) {
    const key = `${found.group}/${found.resource}`;
    if (found.namespaced && found.verbs.includes('delete') && !first.has(key)) first.set(key, found);
  }
  return [...first.values()];
}

class Emptying {
  readonly objects = new Map<string, number>();
  readonly #finalizers = new Map<string, number>();
  readonly #failures: string[] = [];
  readonly #errors: string[] = [];
  readonly #client: KubeClient;
  readonly #namespace: Namespace;
  readonly #clock: Clock;
  #estimateSeconds = 0;

  constructor(client: KubeClient, namespace: Namespace, clock: Clock) {
    this.#client = client;
    this.#namespace = namespace;
    this.#clock = clock;
  }

  async empty(target: ApiResource, isPods: boolean): Promise<void> {
    const name = this.#namespace.metadata.name ?? '';
    try {
      await this.#emptyOne(target, name, isPods);
    } catch (error) {
      const message = messageOf(error);
      this.#failures.push(message);
      this.#errors.push(isPods ? `failed to delete pods for namespace: ${name}, err: ${message}` : message);
    }
  }

  result(partial: boolean, discoveryFailures: Discovered['failures']): Emptied {
    const errors = [...this.#errors];
    const discoveryFailure = discoveryText(discoveryFailures);
    if (discoveryFailure !== undefined) errors.unshift(discoveryFailure);
    return {
      estimateSeconds: this.#estimateSeconds,
      remaining: {
        objects: this.objects,
        finalizers: this.#finalizers,
        failures: this.#failures,
        partial,
        ...(discoveryFailure === undefined ? {} : { discoveryFailure }),
      },
      ...(errors.length === 0 ? {} : { failure: new Error(aggregateText(errors)) }),
    };
  }

  async #emptyOne(target: ApiResource, name: string, isPods: boolean): Promise<void> {
    const items = this.#client.resource(target).namespace(name).metadataOnly();
    const estimate = isPods ? await this.#podEstimate(name) : 0;
    if (!(await deleteAll(target, items))) return;
    if (!target.verbs.includes('list')) return;
    const left = (await items.list()).items;
    if (left.length === 0) return;
    this.#estimateSeconds = Math.max(this.#estimateSeconds, estimate);
    this.objects.set(`${target.resource}.${target.group}`, left.length);
    const finalizers = left.flatMap(({ metadata }) => metadata.finalizers ?? []);
    for (const finalizer of finalizers)
      this.#finalizers.set(finalizer, (this.#finalizers.get(finalizer) ?? 0) + 1);
    if (estimate > 0) return;
    if (finalizers.length === 0) {
      const gvr = `${target.group}/${target.version}, Resource=${target.resource}`;
      throw new Error(`unexpected items still remain in namespace: ${name} for gvr: ${gvr}`);
    }
    this.#estimateSeconds = Math.max(this.#estimateSeconds, finalizerEstimateSeconds);
  }

  /** Returns the longest grace period of a running pod; 0 once that is over. */
  async #podEstimate(name: string): Promise<number> {
    const { items } = await this.#client.resource<Pod>(resources.pods).namespace(name).list();
    const graces = items
      .filter((pod) => !isFinished(pod))
      .map((pod) => pod.spec?.terminationGracePeriodSeconds ?? 0);
    const estimate = Math.max(0, ...graces);
    const deletedMs = epochMsOf(this.#namespace.metadata.deletionTimestamp ?? '1970-01-01T00:00:00Z');
    return this.#clock.now() - deletedMs >= estimate * 1000 ? 0 : estimate;
  }
}

/** Returns false if the resource turned out not to exist. */
async function deleteAll(target: ApiResource, items: ReturnType<KubeClient['resource']>): Promise<boolean> {
  const background = { propagationPolicy: 'Background' as const };
  try {
    if (target.verbs.includes('deletecollection')) {
      await items.deleteCollection(background);
      return true;
    }
    if (!target.verbs.includes('list')) return false;
    for (const { metadata } of (await items.list()).items) await deleteOne(items, metadata.name ?? '');
    return true;
  } catch (error) {
    if (isStatusError(error) && (error.code === 404 || error.code === 405)) return false;
    throw error;
  }
}

async function deleteOne(items: ReturnType<KubeClient['resource']>, name: string): Promise<void> {
  try {
    await items.delete(name, { propagationPolicy: 'Background' });
  } catch (error) {
    if (!isStatusError(error) || (error.code !== 404 && error.code !== 405)) throw error;
  }
}

function discoveryText(failures: Discovered['failures']): string | undefined {
  if (failures.length === 0) return undefined;
  const groups = failures.map(({ groupVersion, message }) => `${groupVersion}: ${message}`).sort();
  const text = `unable to retrieve the complete list of server APIs: ${groups.join(', ')}`;
  return `Discovery failed for some groups, ${failures.length} failing: ${text}`;
}
