/** What became of a pod that a scheduler was given. */
import type { KubeObject } from '@coxswain/apimachinery';
import { until } from '../../metrics/programs.ts';
import type { World } from './world.ts';

export interface Outcome {
  readonly nodeName: string;
  readonly nominatedNodeName: string;
  /** `PodScheduled` */
  readonly condition: object;
  /** Pods that stood there and are gone, or on their way out, with why. */
  readonly victims: Readonly<Record<string, unknown>>;
  /** `FailedScheduling Warning Scheduling: …`, by pod. */
  readonly events: readonly string[];
}

interface SeenPod extends KubeObject {
  readonly spec: { readonly nodeName?: string };
  readonly status?: {
    readonly nominatedNodeName?: string;
    readonly conditions?: readonly { readonly type: string }[];
  };
}

interface SeenEvent extends KubeObject {
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: { readonly name: string; readonly uid: string };
}

/** What is written after the condition: events, victims. */
const settleMsUsual = 250;

/** Creates the pod, and tells what was done for it once its node, or why it has none, is known. */
export async function outcomeOf(
  world: World,
  pod: KubeObject,
  standing: readonly KubeObject[],
  settleMs = settleMsUsual,
): Promise<Outcome> {
  const pods = world.collection(pod);
  const read = async () => (await pods.get(pod.metadata.name!)) as SeenPod;
  const before = new Set((await events(world)).map(({ metadata }) => metadata.name));
  const { uid } = (await world.create(pod)).metadata;
  const deadlineMs = Date.now() + settleMs;
  await until(async () => {
    const seen = await read();
    const isKnown = Boolean(seen.spec.nodeName) || conditionOf(seen) !== undefined;
    const isReported = isKnown && (await events(world)).some(({ regarding }) => regarding.uid === uid);
    return isReported || (settleMs !== settleMsUsual && Date.now() > deadlineMs);
  });
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const seen = await read();
  const standingUids = new Map<string, string>();
  const victims: Record<string, unknown> = {};
  for (const one of standing) {
    const name = one.metadata.name!;
    const found = await pods.get(name).catch(() => undefined);
    standingUids.set(found?.metadata.uid ?? '', name);
    const conditions = (found as SeenPod | undefined)?.status?.conditions;
    if (found?.metadata.deletionTimestamp || found === undefined)
      victims[name] = conditions?.find(({ type }) => type === 'DisruptionTarget') ?? 'gone';
  }
  const reported = (await events(world)).filter(({ metadata }) => !before.has(metadata.name));
  return {
    nodeName: seen.spec.nodeName ?? '',
    nominatedNodeName: seen.status?.nominatedNodeName ?? '',
    condition: conditionOf(seen) ?? {},
    victims,
    events: [
      ...new Set(
        reported.map(
          ({ type, reason, action, note, regarding }) =>
            `${regarding.uid === uid ? pod.metadata.name : regarding.name}: ${type} ${reason} ${action} ${note}`,
        ),
      ),
    ].sort(),
  };
}

const conditionOf = ({ status }: SeenPod): object | undefined =>
  status?.conditions?.find(({ type }) => type === 'PodScheduled');

async function events(world: World): Promise<readonly SeenEvent[]> {
  const { items } = await world.client
    .resource<KubeObject>('events.k8s.io/v1', 'events')
    .namespace('default')
    .list();
  return items as unknown as readonly SeenEvent[];
}
