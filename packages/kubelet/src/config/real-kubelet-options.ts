/** The options of a real node's kubelet. */
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
  readonly rootDirectory: string;
  /** `/var/log/containers` */
  readonly containerLogs?: string;
  /** The directory for generated certificates. Defaults to `pki` in the root directory. */
  readonly certDirectory?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Observes pod syncs and runtime calls. */
  readonly observer?: StepObserver | undefined;
  /** Resolves when network policies apply to the pod at its addresses; its containers start only then. */
  readonly protect?: (pod: Pod, addresses: readonly string[]) => Promise<void>;
  readonly log: (line: string) => void;
}
