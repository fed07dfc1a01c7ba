/** Creates and deletes the pods of a DaemonSet. */

import { aggregateText, isStatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { objectKey } from '@coxswain/client';
import { isNamespaceTerminating, podControl } from '../pods/pod-control.ts';
import { slowStart } from '../pods/slow-start.ts';
import { daemonPodMaker, daemonSetKind } from './daemon-pod.ts';
import { planPlacement, type DaemonPlan, type DaemonView } from './plan.ts';
import type { DaemonSetState } from './daemon-set-state.ts';

const burstReplicas = 250;

/** Returns the milliseconds until a failed pod may be replaced, if one has to wait. */
export async function managePods(
  state: DaemonSetState,
  key: string,
  view: DaemonView,
): Promise<number | undefined> {
  const { set } = view;
  const plan = planPlacement(view);
  const remove = [...plan.remove];
  let againMs: number | undefined;
  for (const { pod, node } of plan.failed) {
    const waitMs = state.backOff.next(`${set.metadata.uid}/${set.status?.observedGeneration ?? 0}/${node}`);
    if (waitMs > 0) {
      againMs = Math.min(againMs ?? Infinity, waitMs);
      continue;
    }
    const { namespace, name } = pod.metadata;
    state.report(
      set,
      'Warning',
      'FailedDaemonPod',
      `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`,
    );
    remove.push(pod);
  }
  for (const { pod, node } of plan.succeeded) {
    const { namespace, name } = pod.metadata;
    state.report(
      set,
      'Normal',
      'SucceededDaemonPod',
      `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`,
    );
    remove.push(pod);
  }
  await syncNodes(state, key, view, { ...plan, remove });
  return againMs;
}

export async function syncNodes(
  state: DaemonSetState,
  key: string,
  { set, hash }: DaemonView,
  plan: DaemonPlan,
): Promise<void> {
  const create = plan.create.slice(0, burstReplicas);
  const remove = plan.remove.slice(0, burstReplicas);
  if (create.length === 0 && remove.length === 0) return;
  state.context.observer?.note?.({ create, remove: remove.map(objectKey) });
  state.expectations.expect(key, create.length, remove.map(objectKey));
  const events = state.context.events('daemonset-controller');
  const control = podControl(state.context.client, events, (owner, pod) => state.wrotePod(owner, pod));
  const make = daemonPodMaker(set, hash);
  const { succeeded, failure } = await slowStart(create.length, async (index) => {
    try {
      await control.create(set, daemonSetKind, make(create[index]!));
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  });
  state.expectations.creationObserved(key, create.length - succeeded);
  const results = await Promise.allSettled(
    remove.map(async (pod) => {
      try {
        await control.delete(set, daemonSetKind, pod);
      } catch (error) {
        state.expectations.deletionObserved(key, objectKey(pod));
        if (!isStatusError(error, 'NotFound')) throw error;
      }
    }),
  );
  const errors = [
    failure,
    ...results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined)),
  ];
  const messages = errors.filter((error) => error !== undefined).map((error) => messageOf(error));
  if (messages.length > 0) throw new Error(aggregateText(messages));
}
