/** What flags decide about controllers; the defaults are the original's. */

export interface ControllerSettings {
  /** PEM of the authority that pods trust the API server by. */
  readonly rootCertificateAuthority?: string;
  readonly concurrentSyncs: number;
  readonly nodeMonitorPeriodMs: number;
  readonly nodeMonitorGracePeriodMs: number;
  readonly nodeStartupGracePeriodMs: number;
  readonly nodeEvictionRate: number;
  readonly terminatedPodsMax: number;
  readonly resourceQuotaSyncPeriodMs: number;
  readonly horizontalSyncPeriodMs: number;
  readonly enableGarbageCollector: boolean;
  /** Deletes a directory of the machine with all that is in it; absent where there is no machine. */
  readonly removeDirectory?: (path: string) => Promise<void>;
}

export const defaultSettings: ControllerSettings = {
  concurrentSyncs: 5,
  nodeMonitorPeriodMs: 5_000,
  nodeMonitorGracePeriodMs: 50_000,
  nodeStartupGracePeriodMs: 60_000,
  nodeEvictionRate: 0.1,
  terminatedPodsMax: 12_500,
  resourceQuotaSyncPeriodMs: 300_000,
  horizontalSyncPeriodMs: 15_000,
  enableGarbageCollector: true,
};
