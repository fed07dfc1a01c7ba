/** Reconciles one DaemonSet. */

import { selectorOfCached } from '@coxswain/apimachinery';
import { resources, type DaemonSet } from '../objects.ts';
import { groupByNode, planUpdate, type DaemonView } from './plan.ts';
import type { DaemonSetState } from './daemon-set-state.ts';
import { managePods, syncNodes } from './pods.ts';
import { findHistory, cleanUpHistory } from './history.ts';
import { writeStatus } from './status.ts';

export async function syncDaemonSet(state: DaemonSetState, key: string): Promise<number | void> {
  const set = state.caches.sets.lister.byKey(key);
  if (set === undefined) return state.forget(key);
  const selector = selectorOfCached(set.spec?.selector);
  if (selector.everything) {
    return state.report(
      set,
      'Warning',
      'SelectingAll',
      'This daemon set is selecting all pods. A non-empty selector is required.',
    );
  }
  if (set.metadata.deletionTimestamp !== undefined) return;
  const history = await findHistory(state, set);
  if (!state.expectations.satisfied(key))
    return writeStatus(state, await viewOf(state, set, history.hash), false);
  let failure: unknown;
  let againMs: number | undefined;
  try {
    const view = await viewOf(state, set, history.hash);
    againMs = await managePods(state, key, view);
    if (state.expectations.satisfied(key) && set.spec?.updateStrategy?.type === 'RollingUpdate') {
      const current = await viewOf(state, set, history.hash);
      await syncNodes(state, key, current, planUpdate(current));
    }
    await cleanUpHistory(state, set, history, view);
  } catch (error) {
    failure = error;
  }
  const later = await writeStatus(state, await viewOf(state, set, history.hash), true);
  if (failure !== undefined) throw failure;
  return againMs ?? later;
}

async function viewOf(state: DaemonSetState, set: DaemonSet, hash: string): Promise<DaemonView> {
  const pods = await state.claim(set, resources.pods, state.caches.pods.lister, (pod) =>
    state.wrotePod(set, pod),
  );
  return {
    set,
    nodes: state.caches.nodes.list(),
    podsByNode: groupByNode(pods),
    hash,
    nowMs: state.context.clock.now(),
  };
}
