/** The states of a pod's containers, from its status. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  containerSituation,
  type ContainerSituation,
  type ContainerStatus,
} from '../../../health/container-situation.ts';

export interface DatedSituation extends ContainerSituation {
  /** Identifies the state: a different key is a different state. */
  readonly key: string;
  /** If the status reports it. */
  readonly sinceMs: number | undefined;
}

type State = NonNullable<ContainerStatus['state']>;

/** The last termination, if any, and the current state of each container. Only pods have containers. */
export function containerStates(
  object: KubeObject | undefined,
): readonly { readonly container: string; readonly state: DatedSituation }[] {
  const { status } = (object ?? {}) as Partial<Live<Pod>>;
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return statuses.flatMap(({ name, state, lastState, restartCount }) =>
    [lastState?.terminated && lastState, state ?? {}].flatMap((one) =>
      one === undefined ? [] : [{ container: name, state: stateOf(one, restartCount) }],
    ),
  );
}

function stateOf(state: State, restartCount: number): DatedSituation {
  const { running, terminated } = state;
  const situation = containerSituation(state);
  if (running !== undefined)
    return {
      ...situation,
      key: `running ${running.startedAt}`,
      note: restartCount > 0 ? `×${restartCount + 1}` : '',
      sinceMs: timeOf(running.startedAt),
    };
  if (terminated !== undefined) {
    const { exitCode, finishedAt } = terminated;
    return { ...situation, key: `terminated ${finishedAt} ${exitCode}`, sinceMs: timeOf(finishedAt) };
  }
  return { ...situation, key: `waiting ${situation.name}`, sinceMs: undefined };
}

const timeOf = (time: unknown): number | undefined =>
  typeof time === 'string' && time !== '' ? Date.parse(time) : undefined;
