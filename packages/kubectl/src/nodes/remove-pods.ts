/** Removes pods from a node by eviction or deletion, and waits until they are gone. */
import { formatDurationMs, StatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { Failures } from '../errors.ts';
import { dryRunSuffix, type DryRun } from '../flags/dry-run.ts';
import { podMapping } from '../mapping.ts';
import { isNotFound } from '../resource/fetch.ts';
import type { ResourceHelper } from '../resource/resource-helper.ts';
import { pollUntil, waitUntil, WaitTimeout } from '../watch/until.ts';
import { isSkipped, type Pod } from './pods-to-evict.ts';

export interface Removal {
  readonly context: CommandContext;
  readonly helper: ResourceHelper;
  readonly dryRun: DryRun;
  /** In seconds; negative for that of the pod. */
  readonly gracePeriod: number;
  /** For all pods together; 0 for no limit. */
  readonly timeoutMs: number;
  /** Pods that have been terminating for longer are not waited for, in seconds; 0 waits for all. */
  readonly skipWaitSeconds: number;
  readonly onGone: () => void;
}

/** The delay after an eviction that was refused for now. */
const retryMs = 5000;
/** Stands for waiting without a limit. */
const forEverMs = 2 ** 31 - 1;

/** All at once. @throws Failures when each pod is gone or has failed */
export async function evictPods(removal: Removal, pods: readonly Pod[]): Promise<void> {
  const endMs = removal.context.clock.monotonic() + (removal.timeoutMs || forEverMs);
  const results = await Promise.allSettled(pods.map((pod) => evictPod(removal, pod, endMs)));
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  if (failures.length > 0) throw new Failures(failures, true);
}

/** One after the other, then waits for all. @throws the first refusal, or an Error after the timeout */
export async function deletePods(removal: Removal, pods: readonly Pod[]): Promise<void> {
  const { context, helper, dryRun, timeoutMs } = removal;
  for (const { metadata } of pods) {
    const { namespace = '', name = '' } = metadata;
    if (dryRun !== 'none') context.print(`deleting pod ${namespace}/${name}${dryRunSuffix(dryRun)}\n`);
    await helper.delete(namespace, name, deleteOptions(removal)).catch((failure: unknown) => {
      if (!isNotFound(failure)) throw failure;
    });
  }
  if (dryRun !== 'none') return;
  await Promise.all(pods.map((pod) => untilGone(removal, pod, timeoutMs || forEverMs, 'deleted')));
}

const deleteOptions = ({ gracePeriod, dryRun }: Removal): Record<string, unknown> => ({
  ...(gracePeriod >= 0 && { gracePeriodSeconds: gracePeriod }),
  ...(dryRun === 'server' && { dryRun: ['All'] }),
});

async function evictPod(removal: Removal, pod: Pod, endMs: number): Promise<void> {
  const { context, helper, dryRun, timeoutMs } = removal;
  const { name = '', namespace = '' } = pod.metadata;
  const subject = `pods/"${name}" -n "${namespace}"`;
  let current = pod;
  for (;;) {
    context.print(`evicting pod ${namespace}/${name}${dryRunSuffix(dryRun)}\n`);
    if (context.clock.monotonic() >= endMs)
      throw new Error(
        `error when evicting ${subject}: global timeout reached: ${formatDurationMs(timeoutMs)}`,
      );
    const failure = await evictionFailure(removal, namespace, name);
    if (failure === undefined) break;
    if (isNotFound(failure)) return;
    const isEnding = isOfTerminatingNamespace(failure);
    // Eviction would never succeed; the pod is being deleted anyway.
    if (isEnding && current.metadata.deletionTimestamp) break;
    const isFull = failure instanceof StatusError && failure.reason === 'TooManyRequests';
    const message = messageOf(failure);
    if (!isFull && !isEnding)
      throw new Error(`error when evicting ${subject}: ${message}`, { cause: failure });
    const refused = isFull ? subject : `pod "${name}" from terminating namespace "${namespace}"`;
    context.printError(`error when evicting ${refused} (will retry after 5s): ${message}\n`);
    await context.clock.sleep(retryMs, context.signal);
    current = (await helper.get(namespace, name).catch(() => current)) as Pod;
  }
  if (dryRun === 'server') return;
  try {
    await untilGone(removal, current, endMs - context.clock.monotonic(), 'evicted');
  } catch (failure) {
    throw new Error(
      `error when waiting for pod "${name}" in namespace "${namespace}" to terminate: ${messageOf(failure)}`,
      { cause: failure },
    );
  }
}

/** Undefined if the pod is going to be removed. */
async function evictionFailure(removal: Removal, namespace: string, name: string): Promise<unknown> {
  const client = await removal.context.client();
  try {
    await client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`,
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: deleteOptions(removal),
      },
    });
    return undefined;
  } catch (failure) {
    return failure;
  }
}

const isOfTerminatingNamespace = (failure: unknown): boolean =>
  failure instanceof StatusError &&
  failure.reason === 'Forbidden' &&
  (failure.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');

/** @throws Error after the timeout, as a deadline of Go's contexts */
async function untilGone(
  { context, skipWaitSeconds, onGone }: Removal,
  { metadata: { namespace = '', name = '', uid } }: Pod,
  timeoutMs: number,
  done: 'evicted' | 'deleted',
): Promise<void> {
  const check = (object: KubeObject | undefined) => {
    if (object === undefined || object.metadata.uid !== uid) return 'gone';
    return isSkipped(object as Pod, skipWaitSeconds, context.clock.now()) ? 'skipped' : undefined;
  };
  const target = { mapping: podMapping, namespace, name };
  const wait = skipWaitSeconds > 0 ? pollUntil : waitUntil;
  const found = await wait(context, target, timeoutMs, check).catch((failure: unknown) => {
    if (failure instanceof WaitTimeout) throw new Error('context deadline exceeded', { cause: failure });
    const failed = done === 'evicted' ? 'eviction failed' : 'deletion failed';
    context.print(`pod/${name} ${failed}\n`);
    throw failure;
  });
  context.print(
    found === 'skipped'
      ? `pod "${name}" has DeletionTimestamp older than ${skipWaitSeconds} seconds, skipping\n`
      : `pod/${name} ${done}\n`,
  );
  onGone();
}
