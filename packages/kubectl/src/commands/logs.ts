import { StatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { canonicalTime } from '@coxswain/schema/scalars/time.ts';
import { bool, duration, int, int64, string, type FlagValues } from '@coxswain/cobra';
import { command, usageError } from '../command.ts';
import { completePodsAndContainers } from '../completion/pods.ts';
import type { CommandContext } from '../context.ts';
import { podRunningTimeoutFlag, runningTimeoutProblem } from '../flags/pod-running-timeout.ts';
import { selectorFlag } from '../flags/object-flags.ts';
import { allContainers, chooseContainer, type Pod } from '../logs/containers.ts';
import { firstPodOf, podSelector, podsOf } from '../logs/pods.ts';
import { select } from '../resource/select.ts';

const use = 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]';

/** The number of lines shown per pod with a selector. */
const selectorTail = 10;

const flags = {
  ...selectorFlag,
  allContainers: bool({ usage: 'Get the logs of all containers in the pod.' }),
  allPods: bool({ usage: 'Get the logs of all pods of the object. Sets --prefix to true.' }),
  container: string({ shorthand: 'c', usage: 'Print the logs of this container.' }),
  follow: bool({ shorthand: 'f', usage: 'Stream the logs.' }),
  ignoreErrors: bool({ usage: 'Continue if one of the logs fails.' }),
  insecureSkipTlsVerifyBackend: bool({
    usage: 'Let the API server skip the verification of the kubelet certificate.',
  }),
  limitBytes: int64({ usage: 'Maximum number of log bytes to return. 0 means no limit.' }),
  maxLogRequests: int({ default: 5, usage: 'Maximum number of concurrent logs to follow with a selector.' }),
  ...podRunningTimeoutFlag(20_000),
  prefix: bool({ usage: 'Prefix each log line with the pod and container name.' }),
  previous: bool({
    shorthand: 'p',
    usage: 'Print the logs of the previous instance of the container, if it exists.',
  }),
  since: duration({
    usage:
      'Only return logs newer than a relative duration such as 5s, 2m or 3h. Cannot be combined with --since-time.',
  }),
  sinceTime: string({
    usage: 'Only return logs after this time (RFC 3339). Cannot be combined with --since.',
  }),
  tail: int64({
    default: -1,
    usage:
      'Number of recent log lines to show. -1 shows all, which is the default without a selector; with one it is 10.',
  }),
  timestamps: bool({ usage: 'Include timestamps on each line of the log output.' }),
};

type Flags = FlagValues<typeof flags>;

export const logs = command({
  use,
  long: 'Print the logs of a container in a pod, or of the pods of a workload.',
  example: `  # Of the only container
  kubectl logs web

  # Of all containers of all pods with a label
  kubectl logs -l app=web --all-containers

  # Of the container that ran before
  kubectl logs -p -c main web

  # The last lines, and what comes
  kubectl logs -f --tail=20 deployment/web`,
  disableFlagsInUseLine: true,
  complete: completePodsAndContainers,
  flags,
  async run(invocation) {
    const { context, args, flags: given, changed } = invocation;
    const [subject = '', inline = ''] = args;
    const isSelected = given.selector !== '';
    if (isSelected && args.length > 1)
      throw new Error('selectors and the all flag cannot be used when passing resource/name arguments');
    if (isSelected && args.length > 0)
      throw usageError(invocation, 'only a selector (-l) or a POD name is allowed');
    if (!isSelected && (args.length === 0 || args.length > 2)) {
      throw usageError(
        invocation,
        `expected '${use}'.\nPOD or TYPE/NAME is a required argument for the logs command`,
      );
    }
    const problem = runningTimeoutProblem(given);
    if (problem !== undefined) throw new Error(problem);
    const wanted = inline || given.container;
    const query = queryOf(given, changed, isSelected);
    const checked = () => check(given, inline, wanted);
    const { namespace } = await context.namespace();
    const pods = isSelected
      ? await podsOf(context, namespace, given.selector)
      : await podsNamed(context, subject, given, checked);
    if (pods.length === 0) context.printError(`No resources found in ${namespace} namespace.\n`);
    checked();
    if (pods.length === 0) return;
    await printLogs(context, sourcesOf(context, pods, wanted, given), given, query);
  },
});

const number = (value: number, isGiven: boolean) => (isGiven ? String(value) : undefined);
const flag = (value: boolean) => (value ? 'true' : undefined);

function queryOf(
  given: Flags,
  changed: (flag: keyof Flags) => boolean,
  isSelected: boolean,
): Record<string, string | undefined> {
  const tail = isSelected && !changed('tail') ? selectorTail : given.tail;
  return {
    follow: flag(given.follow),
    insecureSkipTLSVerifyBackend: flag(given.insecureSkipTlsVerifyBackend),
    limitBytes: number(given.limitBytes, given.limitBytes !== 0),
    previous: flag(given.previous),
    sinceSeconds: number(Math.ceil(given.since / 1000), given.since !== 0),
    sinceTime: given.sinceTime === '' ? undefined : canonicalTime(given.sinceTime),
    tailLines: number(tail, tail !== -1),
    timestamps: flag(given.timestamps),
  };
}

/** Upstream does so after it has found the object. */
function check(given: Flags, inline: string, wanted: string): void {
  if (given.since !== 0 && given.sinceTime !== '')
    throw new Error('at most one of `sinceTime` or `sinceSeconds` may be specified');
  if (wanted !== '' && given.allContainers)
    throw new Error(`--all-containers=true should not be specified with container name ${wanted}`);
  if (inline !== '' && given.container !== '')
    throw new Error('only one of -c or an inline [CONTAINER] arg is allowed');
  if (given.limitBytes < 0) throw new Error('--limit-bytes must be greater than 0');
  if (given.since < 0) throw new Error('--since must be greater than 0');
  if (given.tail < -1) throw new Error('--tail must be greater than or equal to -1');
}

/** @param checked checks the options once the object is known */
async function podsNamed(
  context: CommandContext,
  subject: string,
  given: Flags,
  checked: () => void,
): Promise<Pod[]> {
  const { namespace } = await context.namespace();
  const selected = await select(context, {
    args: subject === '' ? [] : [subject],
    defaultType: 'pods',
    namespace,
    latest: true,
  });
  const { infos, failures } = await selected.collect();
  const [failure] = failures;
  if (failure instanceof StatusError && failure.reason === 'NotFound') {
    throw new Error(`error from server (NotFound): ${failure.message} in namespace "${namespace}"`, {
      cause: failure,
    });
  }
  if (failure !== undefined) throw failure;
  checked();
  const object = infos[0]?.object;
  if (object === undefined) return [];
  if (object.kind === 'Pod') return [object as Pod];
  const selector = podSelector(object, 'cannot get the logs from');
  const pods = await firstPodOf(context, namespace, selector, given.podRunningTimeout);
  const [first] = pods;
  if (given.allPods || first === undefined) return pods;
  if (pods.length > 1)
    context.printError(`Found ${pods.length} pods, using pod/${first.metadata.name ?? ''}\n`);
  return [first];
}

interface LogSource {
  readonly pod: Pod;
  readonly container: string;
}

const sourcesOf = (
  context: CommandContext,
  pods: readonly Pod[],
  wanted: string,
  given: Flags,
): LogSource[] => {
  // Of all pods, upstream doesn't say which container it chose.
  const report = (message: string) => given.allPods || context.printError(message);
  return pods.flatMap((pod) =>
    given.allContainers
      ? allContainers(pod).map((container) => ({ pod, container }))
      : [{ pod, container: chooseContainer(pod, wanted, report) }],
  );
};

async function printLogs(
  context: CommandContext,
  sources: readonly LogSource[],
  given: Flags,
  query: Record<string, string | undefined>,
): Promise<void> {
  const isParallel = given.follow && sources.length > 1;
  if (isParallel && sources.length > given.maxLogRequests) {
    throw new Error(
      `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${given.maxLogRequests}, use --max-log-requests to increase the limit`,
    );
  }
  const print = async (source: LogSource) => {
    try {
      await printLog(context, source, given.prefix || given.allPods, query);
    } catch (failure) {
      if (!given.ignoreErrors) throw failure;
      context.print(`error: ${messageOf(failure)}\n`);
    }
  };
  if (isParallel) await Promise.all(sources.map(print));
  else for (const source of sources) await print(source);
}

async function printLog(
  context: CommandContext,
  { pod, container }: LogSource,
  withPrefix: boolean,
  query: Record<string, string | undefined>,
): Promise<void> {
  const { name = '', namespace = '' } = pod.metadata;
  const body = await (
    await context.client()
  ).stream({
    method: 'GET',
    path: `/api/v1/namespaces/${namespace}/pods/${name}/log`,
    query: { container, ...query },
    ...(context.signal ? { signal: context.signal } : {}),
  });
  const decoder = new TextDecoder();
  const prefix = withPrefix ? `[pod/${name}/${container}] ` : '';
  let isLineStart = true;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    if (prefix === '') context.print(text);
    else {
      for (const line of text.split(/(?<=\n)/)) {
        context.print((isLineStart ? prefix : '') + line);
        isLineStart = line.endsWith('\n');
      }
    }
  }
}
