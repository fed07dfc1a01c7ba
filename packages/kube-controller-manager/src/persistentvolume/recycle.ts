/** Recycles a volume: a pod deletes everything in it, then the volume becomes available again. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { isStatusError, type KubeObject, type WatchEvent } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { resources, type PersistentVolume, type Pod } from '../objects.ts';
import type { BinderState } from './binder-state.ts';
import { isReleased } from './released.ts';
import { wipingPod } from './wiping-pod.ts';

const failed = 'VolumeFailedRecycle';
const eventResource = { group: '', version: 'v1', resource: 'events' };

type KubeEvent = KubeObject & { readonly type?: string; readonly message?: string };

export async function recycleVolume(state: BinderState, volume: PersistentVolume): Promise<void> {
  const name = volume.metadata.name ?? '';
  const live = await state.liveVolume(name);
  if (live === undefined || !isReleased(state, live)) return;
  const { namespace = '', name: claimName = '' } = live.spec?.claimRef ?? {};
  const pods = state.podsOf(namespace, claimName);
  if (pods.length > 0 && state.claims.get(`${namespace}/${claimName}`) === undefined) {
    const users = pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();
    return state.reportVolume(volume, 'Normal', failed, `Volume is used by pods: ${users.join()}`);
  }
  const pod = wipingPod(live, state.context.settings.recyclers);
  if (pod === undefined) return state.failVolume(live, failed, 'No recycler plugin found for the volume!');
  // The pod runs in the background without blocking anything else, and no second one is created meanwhile.
  if (!state.recycling.has(name)) {
    state.recycling.add(name);
    detach(wipe(state, live, pod).finally(() => state.recycling.delete(name)));
  }
}

async function wipe(state: BinderState, volume: PersistentVolume, pod: Pod): Promise<void> {
  try {
    await runToItsEnd(state, volume, pod);
  } catch (error) {
    const message = `Recycle failed: ${messageOf(error)}`;
    return state.failVolume(volume, failed, message).catch(() => undefined);
  }
  state.reportVolume(volume, 'Normal', 'VolumeRecycled', 'Volume recycled');
  // If this write fails, the volume is recycled again on its next change.
  await state.unbind(volume).catch(() => undefined);
}

/** Reports the pod's events on the volume. @throws Error with the reason if it did not succeed */
async function runToItsEnd(state: BinderState, volume: PersistentVolume, pod: Pod): Promise<void> {
  const { client, signal } = state.context;
  const namespace = pod.metadata.namespace ?? '';
  const pods = client.resource<Pod>(resources.pods).namespace(namespace);
  const name = pod.metadata.name!;
  const watching = new AbortController();
  const options = { signal: AbortSignal.any([signal, watching.signal]) };
  const events = client.resource<KubeEvent>(eventResource).namespace(namespace);
  const changes = pods.watch({ ...options, fieldSelector: `metadata.name=${name}` });
  const reported = events.watch({ ...options, fieldSelector: `involvedObject.name=${name}` });
  try {
    // Both watches are open before the pod is created.
    const outcome = outcomeOf(changes, name);
    outcome.catch(() => undefined);
    const reporting = report(state, volume, reported);
    await create(pods, pod);
    try {
      await outcome;
    } catch (error) {
      throw new Error(`failed to recycle volume: ${messageOf(error)}`, { cause: error });
    } finally {
      await pods.delete(name).catch(() => undefined);
      watching.abort();
      await reporting;
    }
  } finally {
    watching.abort();
  }
}

async function create(
  pods: { create(pod: Pod): Promise<Pod>; delete(name: string): Promise<unknown> },
  pod: Pod,
): Promise<void> {
  try {
    await pods.create(pod);
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) {
      throw new Error(`unexpected error creating recycler pod:  ${messageOf(error)}`, { cause: error });
    }
    await pods.delete(pod.metadata.name!);
    throw new Error('old recycler pod found, will retry later', { cause: error });
  }
}

async function outcomeOf(changes: AsyncIterable<WatchEvent<Pod>>, name: string): Promise<void> {
  for await (const { type, object } of changes) {
    if (type === 'DELETED') throw new Error('recycler pod was deleted');
    if (type !== 'ADDED' && type !== 'MODIFIED') continue;
    const { phase, message } = object.status ?? {};
    if (phase === 'Succeeded') return;
    if (phase === 'Failed') throw new Error(message || 'pod failed, pod.Status.Message unknown');
  }
  throw new Error(`recycler pod "${name}" watch channel had been closed`);
}

async function report(
  state: BinderState,
  volume: PersistentVolume,
  events: AsyncIterable<WatchEvent<KubeEvent>>,
): Promise<void> {
  try {
    for await (const { type, object } of events) {
      if (type !== 'ADDED') continue;
      const about = object.type === 'Warning' ? 'Warning' : 'Normal';
      state.reportVolume(volume, about, 'RecyclerPod', `Recycler pod: ${object.message ?? ''}`);
    }
  } catch {
    // It ends with the watch.
  }
}
