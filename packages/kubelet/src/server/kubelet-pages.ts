/** What the pages of the kubelet's port show and act on. */
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import type { CriRuntime } from '../containers/cri-runtime.ts';
import type { Kubelet } from '../kubelet.ts';
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import type { NodeUsage } from './node-usage.ts';

export interface KubeletPages {
  readonly nodeName: string;
  readonly settings: KubeletSettings;
  readonly kubelet: Kubelet;
  readonly runtime: CriRuntime;
  readonly usage: NodeUsage;
  readonly metrics?: KubeletMetrics;
  /** Returns what is wrong with the kubelet; undefined if it is healthy. */
  readonly unhealthy?: () => string | undefined;
}
