/** What the containers of a pod did, as its status tells it. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Tone } from '../../../controls/tone.tsx';

export interface ContainerSituation {
  /** Another one is another state. */
  readonly key: string;
  /** `Running`, `CrashLoopBackOff`, `Completed` */
  readonly name: string;
  readonly note: string;
  readonly tone: Tone;
  /** Where the status says so. */
  readonly sinceMs: number | undefined;
}

type Status = NonNullable<NonNullable<Live<Pod>['status']>['containerStatuses']>[number];
type State = NonNullable<Status['state']>;

/** Of each container how it ended last, if it did, and how it is. Only pods have any. */
export function containerStates(
  object: KubeObject | undefined,
): readonly { readonly container: string; readonly state: ContainerSituation }[] {
  const { status } = (object ?? {}) as Partial<Live<Pod>>;
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return statuses.flatMap(({ name, state, lastState, restartCount }) =>
    [lastState?.terminated && lastState, state ?? {}].flatMap((one) =>
      one === undefined ? [] : [{ container: name, state: stateOf(one, restartCount) }],
    ),
  );
}

function stateOf({ running, terminated, waiting }: State, restartCount: number): ContainerSituation {
  if (running !== undefined)
    return {
      key: `running ${running.startedAt}`,
      name: 'Running',
      note: restartCount > 0 ? `×${restartCount + 1}` : '',
      tone: 'ok',
      sinceMs: timeOf(running.startedAt),
    };
  if (terminated !== undefined) {
    const { exitCode, reason, message, finishedAt } = terminated;
    return {
      key: `terminated ${finishedAt} ${exitCode}`,
      name: reason || 'Terminated',
      note: [`exit code ${exitCode}`, message].filter(Boolean).join(': '),
      tone: exitCode === 0 ? 'idle' : 'bad',
      sinceMs: timeOf(finishedAt),
    };
  }
  const name = waiting?.reason || 'Waiting';
  return {
    key: `waiting ${name}`,
    name,
    note: waiting?.message ?? '',
    tone: name === 'ContainerCreating' || name === 'PodInitializing' ? 'idle' : 'warn',
    sinceMs: undefined,
  };
}

const timeOf = (time: unknown): number | undefined =>
  typeof time === 'string' && time !== '' ? Date.parse(time) : undefined;
