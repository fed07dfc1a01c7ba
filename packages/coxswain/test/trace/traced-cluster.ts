/** A recorded cluster for tests, and what its recording has. */

import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { runKubectl } from '@coxswain/kubectl';
import { processIo } from '@coxswain/kubectl/process-io.ts';
import type { Recorder } from '@coxswain/trace/recorder.ts';
import type { Step } from '@coxswain/trace/recording.ts';
import { startCluster, type Cluster, type ClusterOptions } from '../../src/cluster/cluster.ts';
import { nodeRecorder } from '../../src/trace/node-recorder.ts';

export interface Traced {
  readonly recorder: Recorder;
  readonly cluster: Cluster;
  /** Runs kubectl without printing anything; returns its exit code. */
  kubectl(command: string): Promise<number>;
  /** Returns the steps of that name in the whole recording. */
  steps(name: string): readonly Step[];
}

export async function tracedCluster(options: ClusterOptions): Promise<Traced> {
  const recorder = nodeRecorder();
  const { observer } = recorder;
  const cluster = await startCluster({ observer, ...options });
  const io = processIo();
  const silent = { ...io.out, write: () => undefined };
  return {
    recorder,
    cluster,
    kubectl: (command) =>
      runKubectl(command.split(' '), {
        ...io,
        out: silent,
        err: silent,
        clock: systemClock,
        random: systemRandom,
        transport: cluster.transport(),
        observer: observer.scope?.(() => ({ kind: 'command', component: 'kubectl', name: command })),
      }),
    steps: (name) => recorder.recording().undertakings.flatMap((one) => stepsIn(one.steps, name)),
  };
}

const stepsIn = (within: readonly Step[], name: string): readonly Step[] =>
  within.flatMap((step) => [...(step.name === name ? [step] : []), ...stepsIn(step.steps, name)]);
