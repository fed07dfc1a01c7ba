/** The containers of one reading with their pods: one row per metric. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { millisecondsOf } from '../../containers/container-exit.ts';
import { containerNameLabel } from '../../containers/labels.ts';
import { recordOf } from '../../cri/shared-messages.ts';
import type { Family } from '../../metrics/plain-exposition.ts';
import type { Figures, Stats } from './usage-readings.ts';

export interface ContainerRow {
  readonly pod: Pod;
  readonly name: string;
  readonly stats: Stats;
  /** The time of the reading, in milliseconds. */
  readonly atMs: number;
  /** 0 if it isn't running. */
  readonly startedMs: number;
}

export const containerRows = ({ byPod }: Figures, pods: readonly Pod[]): readonly ContainerRow[] =>
  pods.flatMap((pod) =>
    (byPod.get(pod.metadata?.uid ?? '') ?? []).map(({ stats }) => {
      const name = recordOf(stats.attributes?.labels ?? [])[containerNameLabel] ?? '';
      const status = pod.status?.containerStatuses?.find((each) => each.name === name);
      const started = status?.state?.running?.startedAt;
      return {
        pod,
        name,
        stats,
        atMs: millisecondsOf(stats.cpu?.timestamp ?? 0),
        startedMs: started ? Date.parse(started) : 0,
      };
    }),
  );

type Values = Family['values'];

export const counter = (name: string, help: string, values: Values): Family => ({
  name,
  help,
  type: 'counter',
  values,
});

export const gauge = (name: string, help: string, values: Values): Family => ({
  name,
  help,
  type: 'gauge',
  values,
});
