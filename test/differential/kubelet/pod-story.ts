/** What one side made of one pod, with all that is its alone replaced by what it stands for. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { CriCall } from './cri-recorder.ts';
import type { Side } from './sides.ts';

export interface PodStory {
  /** Requests that change something, in the order of their first time, with how often. */
  readonly acts: Readonly<Record<string, unknown>>;
  /** Requests that only ask, each once. */
  readonly questions: readonly string[];
  readonly undescribed: readonly string[];
  readonly status: unknown;
  readonly events: readonly string[];
}

export interface StoryEvent extends KubeObject {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string; readonly fieldPath?: string };
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
}

/**
 * Without `RemoveContainer` and `RemovePodSandbox`: the original removes once a minute what has ended, ours at once.
 */
const acting = new Set([
  'RunPodSandbox',
  'StopPodSandbox',
  'CreateContainer',
  'StartContainer',
  'StopContainer',
  'UpdateContainerResources',
  'UpdatePodSandboxResources',
  'PullImage',
  'ExecSync',
]);

const removing = new Set(['RemoveContainer', 'RemovePodSandbox']);

/** @param pod as it was seen last */
export function podStory(side: Side, pod: Pod, events: readonly StoryEvent[]): PodStory {
  const stand = standIns(side, pod);
  const concerned = side.calls.filter(({ name, request, response, code }) => {
    if (removing.has(name)) return false;
    const text = JSON.stringify([request, code === 0 ? '' : (response ?? '')]);
    return stand.own.some((each) => text.includes(each));
  });
  const acts: Record<string, unknown> = {};
  const questions = new Set<string>();
  for (const call of concerned) {
    const request = stand.in(call.request);
    if (!acting.has(call.name)) questions.add(`${call.name} ${JSON.stringify(request)}`);
    else acts[actName(call, request, acts)] = withCode(call, request);
  }
  return {
    acts,
    questions: [...questions].sort(),
    undescribed: [
      ...new Set(concerned.flatMap(({ name, undescribed }) => undescribed.map((each) => `${name} ${each}`))),
    ],
    status: stand.in(boundless(pod.status)),
    events: [...new Set(events.map((event) => reported(event, stand)))].sort(),
  };
}

/** What version 1 of control groups says where there is no limit. */
const boundlessMemory = '9007199254740988Ki';

function boundless(status: Pod['status']): Pod['status'] {
  const limits = status?.resources?.limits;
  if (limits?.['memory'] !== boundlessMemory) return status;
  const { memory: _, ...rest } = limits;
  const { limits: __, ...resources } = status!.resources!;
  return {
    ...status,
    resources: Object.keys(rest).length === 0 ? resources : { ...resources, limits: rest },
  } as Pod['status'];
}

const withCode = ({ code }: CriCall, request: unknown): unknown =>
  code === 0 || code === undefined ? request : { request, code };

/** `CreateContainer c#0`, with a number when there are more of the same. */
function actName({ name }: CriCall, request: unknown, before: Readonly<Record<string, unknown>>): string {
  const of = request as {
    readonly config?: { readonly metadata?: { readonly name: string; readonly attempt?: number } };
    readonly containerId?: string;
    readonly cmd?: readonly string[];
  };
  const about =
    name === 'CreateContainer'
      ? ` ${of.config?.metadata?.name}#${of.config?.metadata?.attempt ?? 0}`
      : of.containerId === undefined
        ? ''
        : ` ${of.containerId}${of.cmd === undefined ? '' : ` ${of.cmd.join(' ')}`}`;
  const plain = `${name}${about}`;
  // How often a probe asks depends on the clock, and to stop what is stopped means nothing.
  if (name === 'ExecSync' || name === 'StopPodSandbox' || !Object.hasOwn(before, plain)) return plain;
  for (let number = 2; ; number++)
    if (!Object.hasOwn(before, `${plain} (${number})`)) return `${plain} (${number})`;
}

const reported = ({ type, reason, message, involvedObject, source }: StoryEvent, stand: StandIns): string =>
  String(
    stand.in(`${type} ${reason} [${involvedObject.fieldPath ?? ''}] ${source?.component ?? ''}: ${message}`),
  );

export interface StandIns {
  /** By which calls about the pod are known. */
  readonly own: readonly string[];
  in(value: unknown): unknown;
}

export function standIns(side: Side, pod: Pod): StandIns {
  const uid = pod.metadata?.uid ?? '';
  const sandboxes = new Map<string, string>();
  const containers = new Map<string, string>();
  for (const { name, request, response } of side.calls) {
    if (name === 'RunPodSandbox') {
      const { config } = request as { config: { metadata: { uid: string; attempt?: number } } };
      const id = (response as { podSandboxId?: string } | undefined)?.podSandboxId;
      if (config.metadata.uid === uid && id !== undefined)
        sandboxes.set(id, `SANDBOX#${config.metadata.attempt ?? 0}`);
    } else if (name === 'CreateContainer') {
      const { podSandboxId, config } = request as {
        podSandboxId: string;
        config: { metadata: { name: string; attempt?: number } };
      };
      const id = (response as { containerId?: string } | undefined)?.containerId;
      if (sandboxes.has(podSandboxId) && id !== undefined)
        containers.set(id, `${config.metadata.name}#${config.metadata.attempt ?? 0}`);
    }
  }
  const addresses = (pod.spec?.hostNetwork ? [] : (pod.status?.podIPs ?? [])).map(
    ({ ip }) => [ip, 'ADDRESS'] as const,
  );
  const tokens = [...(pod.spec?.volumes ?? [])]
    .filter(({ name }) => name.startsWith('kube-api-access-'))
    .map(({ name }) => [name, 'kube-api-access'] as const);
  const exact = [[uid, 'UID'] as const, ...sandboxes, ...containers, ...addresses, ...tokens, ...side.places];
  return {
    own: [uid, ...sandboxes.keys(), ...containers.keys()],
    in: (value) => (value === undefined ? undefined : JSON.parse(standing(JSON.stringify(value), exact))),
  };
}

export function standing(text: string, exact: readonly (readonly [string, string])[]): string {
  let result = text;
  for (const [from, to] of exact) result = result.replaceAll(from, to);
  return result
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'IMAGE')
    .replaceAll(/[0-9a-f]{64}/g, 'ID')
    .replaceAll(/\b\d+(\.\d+)?m?s\b/g, 'DURATION')
    .replaceAll(/\/(containers\/\w+\/)[0-9a-f]{8}\b/g, '/$1LOG')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID');
}
