/** What flags decide about controllers; the defaults are the original's. */
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { KubeObject } from '@coxswain/apimachinery';

export interface ControllerSettings {
  /** PEM of the authority that pods trust the API server by. */
  readonly rootCertificateAuthority?: string;
  /** PEM: signs the tokens of service accounts that secrets hold; without it none is made. */
  readonly serviceAccountKey?: () => string;
  /** By signer: who signs certificates. Read anew for each signature, since files are exchanged. */
  readonly signingPairs?: Readonly<Record<string, () => SigningPair>>;
  /** Of certificates, at most. */
  readonly signingLifetimeMs: number;
  /** Tokens in secrets that nobody used for so long are removed. */
  readonly legacyTokenIdleMsMax: number;
  readonly mirroredEndpointsMax: number;
  /** Whether nodes get addresses for their pods. */
  readonly allocatesNodeRanges: boolean;
  readonly nodeRanges: NodeRangeSettings;
  readonly autoscaler: AutoscalerSettings;
  readonly concurrentSyncs: number;
  readonly nodeMonitorPeriodMs: number;
  readonly nodeMonitorGracePeriodMs: number;
  readonly nodeStartupGracePeriodMs: number;
  readonly nodeEvictionRates: EvictionRates;
  readonly terminatedPodsMax: number;
  /** How volumes are wiped, by what they are. */
  readonly recyclers: { readonly hostPath: RecyclerSettings; readonly nfs: RecyclerSettings };
  readonly resourceQuotaSyncPeriodMs: number;
  readonly enableGarbageCollector: boolean;
  /** Of `--feature-gates`. */
  readonly isFeatureOn: (gate: string) => boolean;
  /** Deletes a directory of the machine with all that is in it; absent where there is no machine. */
  readonly removeDirectory?: (path: string) => Promise<void>;
}

/** PEM. */
export interface SigningPair {
  readonly certificate: string;
  readonly key: string;
}

export interface EvictionRates {
  /** Nodes a second. */
  readonly usual: number;
  /** Nodes a second of large zones of which many nodes are unready. */
  readonly secondary: number;
  /** From which share of unready nodes on, between 0 and 1. */
  readonly unhealthyShare: number;
  /** Zones with more nodes are large; smaller ones lose nobody meanwhile. */
  readonly largeZoneNodes: number;
}

export interface RecyclerSettings {
  /** The wiping pod may take so many seconds for each gibibyte, but never less than `secondsMin`. */
  readonly secondsMin: number;
  readonly secondsPerGibibyte: number;
  /** Its first volume becomes the one to wipe; without it, a pod that deletes all files. */
  readonly podTemplate?: KubeObject;
}

export interface NodeRangeSettings {
  /** Of all pods: one range, or one of each family. */
  readonly clusterRanges: readonly string[];
  /** Ranges of services, which nodes don't get. */
  readonly serviceRanges: readonly string[];
  readonly maskSizeIpv4: number;
  readonly maskSizeIpv6: number;
}

export interface AutoscalerSettings {
  readonly syncPeriodMs: number;
  /** How long a smaller recommendation must last. */
  readonly downscaleStabilizationMs: number;
  /** Share of the wanted value by which the real one may differ. */
  readonly tolerance: number;
  /** How long the processor time of a new pod is not believed. */
  readonly cpuInitializationMs: number;
  /** How long a new pod may become ready for the first time. */
  readonly initialReadinessMs: number;
}

export const defaultSettings: ControllerSettings = {
  signingLifetimeMs: 8_760 * 3_600_000,
  legacyTokenIdleMsMax: 8_760 * 3_600_000,
  mirroredEndpointsMax: 1_000,
  allocatesNodeRanges: false,
  nodeRanges: { clusterRanges: [], serviceRanges: [], maskSizeIpv4: 24, maskSizeIpv6: 64 },
  autoscaler: {
    syncPeriodMs: 15_000,
    downscaleStabilizationMs: 300_000,
    tolerance: 0.1,
    cpuInitializationMs: 300_000,
    initialReadinessMs: 30_000,
  },
  concurrentSyncs: 5,
  nodeMonitorPeriodMs: 5_000,
  nodeMonitorGracePeriodMs: 50_000,
  nodeStartupGracePeriodMs: 60_000,
  nodeEvictionRates: { usual: 0.1, secondary: 0.01, unhealthyShare: 0.55, largeZoneNodes: 50 },
  terminatedPodsMax: 12_500,
  recyclers: {
    hostPath: { secondsMin: 60, secondsPerGibibyte: 30 },
    nfs: { secondsMin: 300, secondsPerGibibyte: 30 },
  },
  resourceQuotaSyncPeriodMs: 300_000,
  enableGarbageCollector: true,
  isFeatureOn: featureGates([]).enabled,
};
