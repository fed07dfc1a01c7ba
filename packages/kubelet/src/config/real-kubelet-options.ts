/** What the kubelet of a real node is started with. */
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeClient } from '@coxswain/client';
import type { KubeletSettings } from './kubelet-configuration.ts';

export interface RealKubeletOptions {
  readonly client: KubeClient;
  readonly settings: KubeletSettings;
  readonly signal: AbortSignal;
  readonly nodeName: string;
  readonly nodeIps: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** `/var/lib/kubelet` */
  readonly rootFolder: string;
  /** `/var/log/containers` */
  readonly containerLogs?: string;
  /** Of certificates that are made; `pki` in the root folder when absent. */
  readonly certFolder?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Sees the syncs of pods, and the calls of the runtime. */
  readonly observer?: StepObserver | undefined;
  /** Resolves when network policies protect the pod at its addresses: no container of it starts before. */
  readonly protect?: (pod: Pod, addresses: readonly string[]) => Promise<void>;
  readonly log: (line: string) => void;
}
