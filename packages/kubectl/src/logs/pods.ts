/** The pods of an object: itself, or those that its selector matches. */
import { podMapping, resourcePath } from '../mapping.ts';
import { parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { formatLabels, selectorText } from '../describers/selector.ts';
import { WaitTimeout } from '../watch/until.ts';
import type { Pod } from './containers.ts';

const retryMs = 500;

interface Workload extends KubeObject {
  readonly spec?: { readonly selector?: Record<string, unknown> };
}

const kindsWithPods: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Deployment',
  'Job',
  'ReplicaSet',
  'ReplicationController',
  'Service',
  'StatefulSet',
]);

/**
 * @param purpose the start of the message: `cannot attach to`
 * @throws Error for kinds without pods
 */
export function podSelector(object: KubeObject, purpose: string): string {
  const { spec } = object as Workload;
  const selector = spec?.selector;
  const kind = object.kind ?? '';
  if (selector === undefined || !kindsWithPods.has(kind)) {
    const type = `*${parseApiVersion(object.apiVersion ?? '').version}.${kind}`;
    const problem =
      kind === 'Service'
        ? `invalid service '${object.metadata.name ?? ''}': Service is defined without a selector`
        : `selector for ${type} not implemented`;
    throw new Error(`${purpose} ${type}: ${problem}`);
  }
  const isMap = object.kind === 'Service' || object.kind === 'ReplicationController';
  return isMap ? formatLabels(selector as Record<string, string>) : selectorText(selector);
}

export async function podsOf(
  context: CommandContext,
  namespace: string,
  labelSelector: string,
): Promise<Pod[]> {
  const client = await context.client();
  const list = await client.request<{ items?: Pod[] }>({
    method: 'GET',
    path: resourcePath(podMapping, namespace),
    query: { labelSelector },
  });
  return (list.items ?? []).sort((a, b) => rank(a) - rank(b));
}

/** Ranks pods by how much they probably have to show. */
function rank({ spec, status }: Pod): number {
  const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
  const phases = ['Running', 'Unknown', 'Pending'];
  const phase = phases.indexOf(status?.phase ?? '');
  return (spec?.nodeName ? 0 : 100) + (phase < 0 ? 30 : phase * 10) + (isReady ? 0 : 1);
}

/** Waits until there is a pod. @throws WaitTimeout */
export async function firstPodOf(
  context: CommandContext,
  namespace: string,
  labelSelector: string,
  timeoutMs: number,
): Promise<Pod[]> {
  const endMs = context.clock.monotonic() + timeoutMs;
  for (;;) {
    const pods = await podsOf(context, namespace, labelSelector);
    if (pods.length > 0) return pods;
    if (context.clock.monotonic() >= endMs) throw new WaitTimeout();
    await context.clock.sleep(retryMs, context.signal);
  }
}
