/** Completion of pods, of objects that have pods, and of what is in a pod. */
import { completionDirective, type CompletionResult } from '@coxswain/cobra';
import type { CommandContext } from '../context.ts';
import type { Pod } from '../logs/containers.ts';
import { podFor } from '../streams/attachable-pod.ts';
import { namesOf, noFiles, quietly, slashedNames, type KubectlCompletion } from './resources.ts';

const typesWithPods = [
  'daemonsets',
  'deployments',
  'pods',
  'jobs',
  'replicasets',
  'replicationcontrollers',
  'services',
  'statefulsets',
];

/** The timeout for finding a pod of a workload. */
const podTimeoutMs = 100;

async function podsOrTypes(context: CommandContext, typed: string): Promise<CompletionResult> {
  if (typed.includes('/')) return noFiles(await slashedNames(context, typed));
  const names = await namesOf(context, await (await context.mapper()).forArgument('pods'), typed);
  const types = typesWithPods.filter((type) => type.startsWith(typed)).map((type) => `${type}/`);
  const pending = names.length === 0 ? completionDirective.noSpace : 0;
  return { candidates: [...names, ...types], directive: completionDirective.noFiles + pending };
}

const podOf = async (context: CommandContext, name: string): Promise<Pod> =>
  (await podFor(context, { args: [name], timeoutMs: podTimeoutMs, action: 'complete' })).pod;

async function containersOf(context: CommandContext, name: string, typed: string): Promise<CompletionResult> {
  const { spec } = await podOf(context, name);
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return noFiles(containers.map((container) => container.name).filter((one) => one.startsWith(typed)));
}

/** `POD` or `TYPE/NAME` */
export const completePods: KubectlCompletion = quietly(async function podNames({ context, args }, typed) {
  return args.length > 0 ? noFiles([]) : podsOrTypes(context, typed);
});

/** `POD [CONTAINER]` */
export const completePodsAndContainers: KubectlCompletion = quietly(async function podAndContainerNames(
  { context, args },
  typed,
) {
  const [name, ...more] = args;
  if (name === undefined) return podsOrTypes(context, typed);
  return more.length > 0 ? noFiles([]) : containersOf(context, name, typed);
});

/** The containers of the pod named by the first argument. */
export const completeContainers: KubectlCompletion = quietly(async function containerNames(
  { context, args: [name] },
  typed,
) {
  return name === undefined ? noFiles([]) : containersOf(context, name, typed);
});

/** `POD PORT` */
export const completePodsAndPorts: KubectlCompletion = quietly(async function podNamesAndPorts(
  { context, args },
  typed,
) {
  const [name, ...more] = args;
  if (name === undefined) return podsOrTypes(context, typed);
  if (more.length > 0) return noFiles([]);
  const { spec } = await podOf(context, name);
  const ports = ((spec?.containers ?? []) as readonly WithPorts[]).flatMap(portsOf);
  const local = typed.split(':')[0];
  return noFiles(ports.map((port) => `${local || port}:${port}`).filter((pair) => pair.startsWith(typed)));
});

interface WithPorts {
  readonly ports?: readonly { readonly containerPort?: number }[];
}

const portsOf = (container: WithPorts): number[] =>
  (container.ports ?? []).flatMap(({ containerPort }) =>
    containerPort === undefined ? [] : [containerPort],
  );
