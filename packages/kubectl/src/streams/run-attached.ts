/** The second part of `kubectl run` after creating the pod: attaches, waits for the end, cleans up. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { ExitError } from '../errors.ts';
import { chooseContainer, type Pod } from '../logs/containers.ts';
import { waitUntil } from '../watch/until.ts';
import { attachTo } from './attach-session.ts';
import { hasEnded } from './attachable-pod.ts';

export interface RunChoice {
  readonly podRunningTimeout: number;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  readonly detachKeys: string;
  readonly leaveStdinOpen: boolean;
  readonly restart: string;
  readonly rm: boolean;
}

export interface CreatedPod {
  readonly namespace: string;
  readonly name: string;
  readonly hasService: boolean;
}

interface EndedPod extends Pod {
  readonly status?: Pod['status'] & {
    readonly containerStatuses?: readonly {
      readonly state?: {
        readonly terminated?: {
          readonly exitCode: number;
          readonly reason?: string;
          readonly message?: string;
        };
      };
    }[];
  };
}

/** @throws ExitError with the container's exit code, if the pod does not restart it */
export async function runAttached(
  context: CommandContext,
  created: CreatedPod,
  choice: RunChoice,
): Promise<void> {
  try {
    const pod = await podWhen(context, created, choice, (found) => hasEnded(found) || isReady(found));
    await converse(context, pod, choice);
    const isOver = choice.restart === 'OnFailure' ? hasSucceeded : hasEnded;
    if (choice.leaveStdinOpen || choice.restart === 'Always') return;
    judge(await podWhen(context, created, choice, isOver));
  } finally {
    if (choice.rm) await remove(context, created, choice.quiet);
  }
}

async function podWhen(
  context: CommandContext,
  { namespace, name }: CreatedPod,
  { podRunningTimeout }: RunChoice,
  isWanted: (pod: Pod) => boolean,
): Promise<EndedPod> {
  const mapping = await (await context.mapper()).forResource('pods');
  return waitUntil(context, { mapping, namespace, name }, podRunningTimeout, (object) =>
    object !== undefined && isWanted(object as Pod) ? (object as EndedPod) : undefined,
  );
}

const isReady = ({ status }: Pod): boolean =>
  status?.phase === 'Running' &&
  (status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false);

const hasSucceeded = ({ status }: Pod): boolean => status?.phase === 'Succeeded';

/** Output from before attaching is shown first; for an ended pod, that is all there is. */
async function converse(context: CommandContext, pod: Pod, choice: RunChoice): Promise<void> {
  await printLog(context, pod);
  if (hasEnded(pod)) return;
  try {
    await attachTo(context, pod, { ...choice, container: '' });
  } catch (failure) {
    const why = messageOf(failure);
    context.printError(
      `warning: couldn't attach to pod/${pod.metadata.name}, falling back to streaming logs: ${why}\n`,
    );
    await printLog(context, pod);
  }
}

async function printLog(context: CommandContext, pod: Pod): Promise<void> {
  const container = chooseContainer(pod, '', () => undefined);
  const { namespace, name } = pod.metadata;
  const client = await context.client();
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/log`;
  context.print(await client.text({ method: 'GET', path, query: { container } }));
}

function judge({ metadata, status }: EndedPod): void {
  if (status?.phase === 'Succeeded') return;
  const place = `pod ${metadata.namespace}/${metadata.name}`;
  const terminated = status?.containerStatuses?.[0]?.state?.terminated;
  if (terminated === undefined || terminated.exitCode === 0)
    throw new Error(`${place} failed with unknown exit code`);
  const { reason = '', message = '', exitCode } = terminated;
  throw new ExitError(exitCode, `${place} terminated (${reason})\n${message}`);
}

async function remove(context: CommandContext, created: CreatedPod, isQuiet: boolean): Promise<void> {
  const { namespace, name, hasService } = created;
  const client = await context.client();
  for (const [resource, kind] of hasService
    ? [
        ['services', 'service'],
        ['pods', 'pod'],
      ]
    : [['pods', 'pod']]) {
    await client.request({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/${resource}/${name}`,
      body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
    });
    if (!isQuiet) context.print(`${kind} "${name}" deleted from ${namespace} namespace\n`);
  }
}
