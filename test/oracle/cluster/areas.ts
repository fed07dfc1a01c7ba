/** The recorded scenarios of whole control planes. */
import { areaNames, loadAreaFrom } from '../../../packages/kube-apiserver/test/oracle/case.ts';
import type { Scenario, Seen } from '../../differential/cluster/scenario.ts';

export interface ClusterArea {
  readonly area: string;
  /** Flags of the original that the area needs. */
  readonly server: { readonly kcm?: Readonly<Record<string, string>>; readonly beatMs?: number };
  readonly cases: readonly RecordedScenario[];
}

export interface RecordedScenario extends Scenario {
  /** What was seen of the original. */
  readonly answers: readonly Seen[];
  /** Beginnings of paths that two runs of the original differ in. */
  readonly unstable?: readonly string[];
}

const clusterDirectory = new URL('.', import.meta.url);

export const clusterAreas = (): ClusterArea[] =>
  areaNames(clusterDirectory).map((name) => loadAreaFrom<ClusterArea>(clusterDirectory, name));
