import { parseLabelSelector } from '@coxswain/apimachinery/label-selector-text.ts';
import { runStep, StatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, duration, int, string } from '@coxswain/cobra';
import { command, usageError } from '../command.ts';
import { completeNames } from '../completion/resources.ts';
import { progressText } from '../terminal/status-line.ts';
import type { CommandContext } from '../context.ts';
import { Failures } from '../errors.ts';
import { dryRunSuffix, readDryRun, type DryRun } from '../flags/dry-run.ts';
import { chunkSizeFlag, dryRunFlag, selectorFlag } from '../flags/object-flags.ts';
import { selectNodes, setUnschedulable } from '../nodes/cordon.ts';
import { isSkipped, podsToEvict, type DrainRules, type Pod } from '../nodes/pods-to-evict.ts';
import { pollUntil, waitUntil, WaitTimeout } from '../watch/until.ts';
import { pages } from '../resource/pages.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import type { ResourceMapping } from '../mapping.ts';

/** The delay after an eviction that a disruption budget refused. */
const evictionRetryMs = 5000;
/** Stands for waiting without a limit. */
const forEverMs = 2 ** 31 - 1;

const flags = {
  ...dryRunFlag,
  ...selectorFlag,
  ...chunkSizeFlag,
  deleteEmptydirData: bool({
    usage: 'Continue even if pods use emptyDir volumes, whose data will be deleted.',
  }),
  disableEviction: bool({
    usage: 'Delete pods instead of evicting them. This bypasses pod disruption budgets; use with caution.',
  }),
  force: bool({ usage: 'Continue even if pods have no controller and will not be recreated.' }),
  gracePeriod: int({
    default: -1,
    usage: 'Seconds that each pod has to terminate gracefully. If negative, the default of the pod applies.',
  }),
  ignoreDaemonsets: bool({ usage: 'Ignore pods managed by DaemonSets.' }),
  podSelector: string({ usage: 'Label selector to filter pods on the node.' }),
  skipWaitForDeleteTimeout: int({
    usage:
      'Do not wait for pods that have been terminating for longer than this number of seconds. 0 waits for all.',
  }),
  timeout: duration({ usage: 'How long to wait before giving up. 0 means forever.' }),
};

type DrainFlags = import('@coxswain/cobra').FlagValues<typeof flags>;

export const drain = command({
  use: 'drain NODE',
  long: `Drain a node for maintenance: mark it as unschedulable and evict its pods, respecting disruption budgets.

 Without the corresponding flags, drain refuses to proceed if there are pods of daemon sets, pods without a controller or pods with local data. Afterwards, use kubectl uncordon to make the node schedulable again.`,
  example: `  # Empty a node, leaving daemon sets
  kubectl drain node-1 --ignore-daemonsets

  # With ten minutes for each pod
  kubectl drain node-1 --grace-period=600`,
  disableFlagsInUseLine: true,
  complete: completeNames('node'),
  flags,
  async run(invocation) {
    const { context, args, flags } = invocation;
    if (args.length === 0 && !invocation.changed('selector'))
      throw usageError(invocation, 'USAGE: drain NODE [flags]');
    if (args.length > 0 && flags.selector !== '') {
      throw usageError(invocation, 'error: cannot specify both a node name and a --selector option');
    }
    const dryRun = readDryRun(context, flags.dryRun);
    requireSelector(flags.podSelector);
    const nodes = await selectNodes(context, args, flags.selector, flags.chunkSize);
    for (const info of nodes) context.print(await setUnschedulable(context, info, true, dryRun));
    const failures: Error[] = [];
    for (const { name } of nodes) {
      try {
        await drainNode(context, name, flags, dryRun);
        context.print(`node/${name} drained${dryRunSuffix(dryRun)}\n`);
      } catch (failure) {
        const message = messageOf(failure);
        context.printError(
          `error: unable to drain node "${name}" due to error: ${message}, continuing command...\n`,
        );
        failures.push(new Error(`unable to drain node "${name}" due to error: ${message}`));
      }
    }
    if (failures.length === 0) return;
    context.printError('There are pending nodes to be drained:\n');
    for (const failure of failures) context.printError(` ${/"(.*?)"/.exec(failure.message)?.[1]}\n`);
    throw new Failures(failures);
  },
});

function requireSelector(text: string): void {
  try {
    parseLabelSelector(text);
  } catch {
    throw new Error('--pod-selector=<pod_selector> must be a valid label selector');
  }
}

const podMapping: ResourceMapping = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  singular: 'pod',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
};

async function drainNode(
  context: CommandContext,
  node: string,
  flags: DrainFlags,
  dryRun: DryRun,
): Promise<void> {
  const helper = new ResourceHelper(await context.client(), podMapping);
  const all = await podsOf(helper, node, flags);
  const rules: DrainRules = {
    force: flags.force,
    ignoreDaemonSets: flags.ignoreDaemonsets,
    deleteEmptyDirData: flags.deleteEmptydirData,
    skipDeletedForSeconds: flags.skipWaitForDeleteTimeout,
    nowMs: context.clock.now(),
    daemonSetExists: (pod, name) => daemonSetExists(context, pod.metadata.namespace ?? '', name),
  };
  const { observer } = context.io;
  const plan = async () => {
    const planned = await podsToEvict(all, rules);
    observer?.note?.({ evicted: planned.pods.map(({ metadata }) => metadata.name), of: all.length });
    return planned;
  };
  const { pods, warnings, problems } = await runStep(observer, 'pods-to-evict', plan, undefined, podsToEvict);
  if (problems.length > 0)
    throw new Error(problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`);
  if (warnings !== '') context.warn(warnings);
  let gone = 0;
  const report = () => context.status(progressText(gone, pods.length, `pods of ${node} gone`));
  await Promise.all(
    pods.map(async (pod) => {
      await removePod(context, helper, pod, flags, dryRun);
      gone++;
      report();
    }),
  );
}

interface PodList {
  readonly items: readonly Pod[];
}

async function podsOf(helper: ResourceHelper, node: string, flags: DrainFlags): Promise<Pod[]> {
  const pods: Pod[] = [];
  const query = {
    fieldSelector: `spec.nodeName=${node}`,
    labelSelector: flags.podSelector,
    limit: flags.chunkSize,
  };
  for await (const page of pages((token) => helper.list('', { ...query, continue: token })))
    pods.push(...(page as unknown as PodList).items);
  return pods;
}

async function daemonSetExists(context: CommandContext, namespace: string, name: string): Promise<boolean> {
  try {
    await (
      await context.client()
    ).request({ method: 'GET', path: `/apis/apps/v1/namespaces/${namespace}/daemonsets/${name}` });
    return true;
  } catch (failure) {
    if (failure instanceof StatusError && failure.reason === 'NotFound') return false;
    throw failure;
  }
}

async function removePod(
  context: CommandContext,
  helper: ResourceHelper,
  pod: Pod,
  flags: DrainFlags,
  dryRun: DryRun,
): Promise<void> {
  const { name = '', namespace = '', uid } = pod.metadata;
  const grace = flags.gracePeriod < 0 ? {} : { gracePeriodSeconds: flags.gracePeriod };
  const server = dryRun === 'server' ? { dryRun: ['All'] } : {};
  const timeoutMs = flags.timeout === 0 ? forEverMs : flags.timeout;
  if (flags.disableEviction) {
    if (dryRun !== 'none') context.print(`deleting pod ${namespace}/${name}${dryRunSuffix(dryRun)}\n`);
    if (dryRun !== 'client') await helper.delete(namespace, name, { ...grace, ...server });
  } else {
    context.print(`evicting pod ${namespace}/${name}${dryRunSuffix(dryRun)}\n`);
    if (dryRun !== 'client') await evict(context, namespace, name, { ...grace, ...server }, timeoutMs);
  }
  if (dryRun !== 'none') return;
  const isGone = (object: KubeObject | undefined) => object === undefined || object.metadata.uid !== uid;
  const skipSeconds = flags.skipWaitForDeleteTimeout;
  const check = (object: KubeObject | undefined) => {
    if (isGone(object)) return 'gone';
    return isSkipped(object as Pod, skipSeconds, context.clock.now()) ? 'skipped' : undefined;
  };
  try {
    const target = { mapping: podMapping, namespace, name };
    const found = await (skipSeconds > 0 ? pollUntil : waitUntil)(context, target, timeoutMs, check);
    if (found === 'skipped') {
      context.print(`pod "${name}" has DeletionTimestamp older than ${skipSeconds} seconds, skipping\n`);
      return;
    }
  } catch (failure) {
    if (failure instanceof WaitTimeout)
      throw new Error(
        `error when waiting for pod "${name}" in namespace "${namespace}" to terminate: global timeout reached: ${flags.timeout / 1000}s`,
        { cause: failure },
      );
    throw failure;
  }
  context.print(`pod/${name} ${flags.disableEviction ? 'deleted' : 'evicted'}\n`);
}

async function evict(
  context: CommandContext,
  namespace: string,
  name: string,
  deleteOptions: object,
  timeoutMs: number,
): Promise<void> {
  const endMs = context.clock.monotonic() + timeoutMs;
  const client = await context.client();
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
  for (;;) {
    try {
      await client.request({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`,
        body,
      });
      return;
    } catch (failure) {
      if (!(failure instanceof StatusError)) throw failure;
      if (failure.reason === 'NotFound') return;
      if (failure.reason !== 'TooManyRequests') {
        throw new Error(`error when evicting pods/"${name}" -n "${namespace}": ${failure.message}`, {
          cause: failure,
        });
      }
      context.printError(
        `error when evicting pods/"${name}" -n "${namespace}" (will retry after 5s): ${failure.message}\n`,
      );
      if (context.clock.monotonic() + evictionRetryMs > endMs) {
        throw new Error(
          `error when evicting pods/"${name}" -n "${namespace}": global timeout reached: ${timeoutMs / 1000}s`,
          { cause: failure },
        );
      }
      await context.clock.sleep(evictionRetryMs, context.signal);
    }
  }
}
