/** Collects the objects of a cluster that belong in a backup, in the order in which they are restored. */
import { apiVersionOf } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import type { BackedUp } from './backup-file.ts';
import { whyNoneAreKept, whyNotKept } from './left-out.ts';
import { inOrder } from './order.ts';

/** The number of objects left out, by reason. */
export type LeftOut = Map<string, number>;

/**
 * Each kind is read at a single resourceVersion, one kind after the other.
 * @param leftOut counts what was left out
 * @throws Error if an API group does not answer, since its objects would be missing
 */
export async function* gatherObjects(
  client: KubeClient,
  leftOut: LeftOut,
): AsyncGenerator<BackedUp, void, void> {
  const { resources, failures } = await client.discovery.discover();
  const [failure] = failures;
  if (failure !== undefined)
    throw new Error(`${failure.groupVersion} cannot be backed up: ${failure.message}`);
  const seen = new Set<string>();
  const asked = new Set<string>();
  for (const each of inOrder(resources)) {
    const { group, version, resource, namespaced } = each;
    const name = `${resource}.${group}`;
    if (asked.has(name) || whyNoneAreKept(each) !== undefined) continue;
    asked.add(name);
    for await (const object of client.resource({ group, version, resource }).items()) {
      // Some kinds are served in several groups.
      const uid = object.metadata.uid ?? '';
      if (seen.has(uid)) continue;
      seen.add(uid);
      const why = whyNotKept(each, object);
      const whole = { ...object, apiVersion: apiVersionOf(each), kind: each.kind };
      if (why === undefined) yield { resource: { group, version, resource, namespaced }, object: whole };
      else leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
    }
  }
}
