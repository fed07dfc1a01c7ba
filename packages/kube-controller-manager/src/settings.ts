/** The controllers' settings, with upstream's defaults. */
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { KubeObject } from '@coxswain/apimachinery';

export interface ControllerSettings {
  /** PEM of the authority of the API server's certificate, for pods. */
  readonly rootCertificateAuthority?: string;
  /** PEM of the key that signs service account tokens in Secrets; without it none is created. */
  readonly serviceAccountKey?: () => string;
  /** The signing certificate and key of each signer. Read again for each signature, since the files may be replaced. */
  readonly signingPairs?: Readonly<Record<string, () => SigningPair>>;
  /** The maximum lifetime of certificates. */
  readonly signingLifetimeMs: number;
  /** Token Secrets that were unused for this long are removed. */
  readonly legacyTokenIdleMsMax: number;
  readonly mirroredEndpointsMax: number;
  /** Whether nodes are assigned pod address ranges. */
  readonly allocatesNodeRanges: boolean;
  readonly nodeRanges: NodeRangeSettings;
  readonly autoscaler: AutoscalerSettings;
  readonly concurrentSyncs: number;
  readonly nodeMonitorPeriodMs: number;
  readonly nodeMonitorGracePeriodMs: number;
  readonly nodeStartupGracePeriodMs: number;
  readonly nodeEvictionRates: EvictionRates;
  readonly terminatedPodsMax: number;
  /** How volumes are scrubbed, by type. */
  readonly recyclers: { readonly hostPath: RecyclerSettings; readonly nfs: RecyclerSettings };
  readonly resourceQuotaSyncPeriodMs: number;
  readonly enableGarbageCollector: boolean;
  /** From `--feature-gates`. */
  readonly isFeatureOn: (gate: string) => boolean;
  /** Deletes a directory of the machine recursively; undefined if there is no machine. */
  readonly removeDirectory?: (path: string) => Promise<void>;
}

/** PEM. */
export interface SigningPair {
  readonly certificate: string;
  readonly key: string;
}

export interface EvictionRates {
  /** In nodes per second. */
  readonly usual: number;
  /** In nodes per second, for large zones with many unready nodes. */
  readonly secondary: number;
  /** The fraction of unready nodes, from 0 to 1, above which a zone is unhealthy. */
  readonly unhealthyShare: number;
  /** Zones with more nodes are large; in smaller ones, evictions stop while the zone is unhealthy. */
  readonly largeZoneNodes: number;
}

export interface RecyclerSettings {
  /** The minimum time for the recycler pod; otherwise it gets a number of seconds per gibibyte. */
  readonly secondsMin: number;
  readonly secondsPerGibibyte: number;
  /** A pod whose first volume is replaced by the one to scrub. Defaults to a pod that deletes all files. */
  readonly podTemplate?: KubeObject;
}

export interface NodeRangeSettings {
  /** The ranges of all pods: one, or one per address family. */
  readonly clusterRanges: readonly string[];
  /** Ranges of services, which are not assigned to nodes. */
  readonly serviceRanges: readonly string[];
  readonly maskSizeIpv4: number;
  readonly maskSizeIpv6: number;
}

export interface AutoscalerSettings {
  readonly syncPeriodMs: number;
  /** How long a lower recommendation must persist. */
  readonly downscaleStabilizationMs: number;
  /** The relative deviation from the target that is tolerated. */
  readonly tolerance: number;
  /** How long the CPU usage of a new pod is disregarded. */
  readonly cpuInitializationMs: number;
  /** How long a new pod may take to become ready for the first time. */
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
