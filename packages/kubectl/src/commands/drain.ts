import { parseLabelSelector } from '@coxswain/apimachinery/label-selector-text.ts';
import { runStep, StatusError } from '@coxswain/apimachinery';
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
import { podsToEvict, type DrainPlan, type DrainRules, type Pod } from '../nodes/pods-to-evict.ts';
import { deletePods, evictPods } from '../nodes/remove-pods.ts';
import { pages } from '../resource/pages.ts';
import { podMapping } from '../mapping.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';

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
    const pending: string[] = [];
    for (const { name } of nodes) {
      try {
        await drainNode(context, name, flags, dryRun);
        context.print(`node/${name} drained${dryRunSuffix(dryRun)}\n`);
      } catch (failure) {
        context.printError(
          `error: unable to drain node "${name}" due to error: ${messageOf(failure)}, continuing command...\n`,
        );
        failures.push(failure as Error);
        pending.push(name);
      }
    }
    if (failures.length === 0) return;
    context.printError('There are pending nodes to be drained:\n');
    for (const name of pending) context.printError(` ${name}\n`);
    throw new Failures(
      failures,
      failures.some((failure) => failure instanceof Failures),
    );
  },
});

function requireSelector(text: string): void {
  try {
    parseLabelSelector(text);
  } catch {
    throw new Error('--pod-selector=<pod_selector> must be a valid label selector');
  }
}

async function drainNode(
  context: CommandContext,
  node: string,
  flags: DrainFlags,
  dryRun: DryRun,
): Promise<void> {
  const helper = new ResourceHelper(await context.client(), podMapping);
  const { pods, warnings, problems } = await planFor(context, helper, node, flags);
  if (problems.length > 0) throw problemsOf(problems);
  if (warnings !== '') context.warn(warnings);
  if (dryRun === 'client') {
    for (const { metadata } of pods)
      context.print(`evicting pod ${metadata.namespace}/${metadata.name}${dryRunSuffix(dryRun)}\n`);
    return;
  }
  let gone = 0;
  const removal = {
    context,
    helper,
    dryRun,
    gracePeriod: flags.gracePeriod,
    timeoutMs: flags.timeout,
    skipWaitSeconds: flags.skipWaitForDeleteTimeout,
    onGone: () => context.status(progressText(++gone, pods.length, `pods of ${node} gone`)),
  };
  try {
    await (flags.disableEviction ? deletePods : evictPods)(removal, pods);
  } catch (failure) {
    await reportPending(context, helper, node, flags, messageOf(failure));
    throw failure;
  }
}

const problemsOf = (problems: readonly string[]): Failures =>
  new Failures(
    problems.map((problem) => new Error(problem)),
    true,
  );

async function reportPending(
  context: CommandContext,
  helper: ResourceHelper,
  node: string,
  flags: DrainFlags,
  message: string,
): Promise<void> {
  const { pods, problems } = await planFor(context, helper, node, flags);
  if (pods.length > 0)
    context.printError(`There are pending pods in node "${node}" when an error occurred: ${message}\n`);
  for (const { metadata } of pods) context.printError(`pod/${metadata.name}\n`);
  if (problems.length > 0)
    context.printError(
      `Following errors occurred while getting the list of pods to delete:\n${problemsOf(problems).message}`,
    );
}

async function planFor(
  context: CommandContext,
  helper: ResourceHelper,
  node: string,
  flags: DrainFlags,
): Promise<DrainPlan> {
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
  return runStep(observer, 'pods-to-evict', plan, undefined, podsToEvict);
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
