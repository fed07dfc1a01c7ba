import type { Clock, StepObserver } from '@coxswain/apimachinery';
import type { InformerFactory, KubeClient } from '@coxswain/client';
import type { RunNft } from '@coxswain/nftables';
import type { ProxySettings } from './config/proxy-configuration.ts';
import type { NodeIps } from './machine/node-addresses.ts';

export interface NodeProxyOptions {
  readonly client: KubeClient;
  readonly settings: ProxySettings;
  readonly nodeName: string;
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
  /** What is known of the node; it is asked for, and waited for, if unset. */
  readonly node?: KnownNode;
  /** Shared with other components of the process. */
  readonly informers?: InformerFactory;
  readonly observer?: StepObserver | undefined;
  readonly clock?: Clock;
  /** Where rules go that are not loaded. */
  readonly print?: (text: string) => void;
  /** In place of `nft`. */
  readonly run?: RunNft;
  /** Whether this is the process of its own that the settings of processes are for. */
  readonly isProgram?: boolean;
}

export interface KnownNode {
  readonly ips: NodeIps;
  readonly podCidrs: readonly string[];
}
