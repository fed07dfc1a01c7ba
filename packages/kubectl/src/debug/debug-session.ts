/** Attaches to the debugging container once it is running. */
import { StatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { attachTo } from '../streams/attach-session.ts';
import { waitUntil } from '../watch/until.ts';
import type { ContainerStatus, DebugPod } from './debug-pod.ts';

export interface DebugTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface DebugSession {
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
}

/** The longest time of a timer, about 24 days: the user will end it sooner. */
const waitMsMax = 2 ** 31 - 1;

/** If a container has ended or can't be attached to, shows its log instead. */
export async function attachForDebugging(
  context: CommandContext,
  target: DebugTarget,
  session: DebugSession,
): Promise<void> {
  const { pod, status } = await containerStarted(context, target, session.quiet);
  if (status.state?.terminated !== undefined) return printLog(context, target);
  try {
    await attachTo(context, pod, {
      ...session,
      container: target.container,
      detachKeys: 'ctrl-p,ctrl-q',
    });
  } catch (failure) {
    const why = messageOf(failure);
    context.printError(
      `warning: couldn't attach to pod/${target.pod}, falling back to streaming logs: ${why}\n`,
    );
    await printLog(context, target);
  }
}

async function containerStarted(context: CommandContext, target: DebugTarget, isQuiet: boolean) {
  const { namespace, pod: name, container } = target;
  const mapping = await (await context.mapper()).forResource('pods');
  let wasThere = false;
  return waitUntil(context, { mapping, namespace, name }, waitMsMax, (object) => {
    if (object === undefined) {
      if (!wasThere) return undefined;
      throw StatusError.from({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: 'NotFound',
        code: 404,
        message: 'pods "" not found',
      });
    }
    wasThere = true;
    const pod = object as DebugPod;
    const status = statusOf(pod, container);
    const { running, terminated, waiting } = status?.state ?? {};
    if (status !== undefined && (running !== undefined || terminated !== undefined)) return { pod, status };
    const message = waiting?.message ?? '';
    if (!isQuiet && message !== '') context.printError(`Warning: container ${container}: ${message}\n`);
    return undefined;
  });
}

const statusOf = ({ status }: DebugPod, container: string): ContainerStatus | undefined =>
  [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ].find(({ name }) => name === container);

async function printLog(context: CommandContext, { namespace, pod, container }: DebugTarget): Promise<void> {
  const client = await context.client();
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/log`;
  const decoder = new TextDecoder();
  for await (const chunk of await client.stream({ method: 'GET', path, query: { container } }))
    context.print(decoder.decode(chunk, { stream: true }));
}
