/** What the containers of a pod did, as its status tells it. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  containerSituation,
  type ContainerSituation,
  type ContainerStatus,
} from '../../../health/container-situation.ts';

export interface DatedSituation extends ContainerSituation {
  /** Another one is another state. */
  readonly key: string;
  /** Where the status says so. */
  readonly sinceMs: number | undefined;
}

type State = NonNullable<ContainerStatus['state']>;

/** Of each container how it ended last, if it did, and how it is. Only pods have any. */
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
