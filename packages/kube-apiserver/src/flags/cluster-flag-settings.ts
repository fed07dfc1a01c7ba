/** Makes settings of the flags of a cluster's API server. */
import { systemClock } from '@coxswain/apimachinery';
import { defaultsOf } from '@coxswain/cobra';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { auditFlags } from '../audit/audit-flags.ts';
import { auditSettings } from '../audit/audit-settings.ts';
import type { AuditRim } from '../audit/audit-rim.ts';
import { kubeconfigWebhooks } from '../kubeconfig-webhook.ts';
import { parseRuntimeConfig, runtimeConfig } from '../runtime-config.ts';
import type { KubeApiServerSettings } from '../settings.ts';
import type { ClusterFlags } from './cluster-flags.ts';

export type ClusterFlagSettings = Pick<
  KubeApiServerSettings,
  'audit' | 'encryption' | 'featureGates' | 'runtimeConfig'
>;

/**
 * @param version the version of Kubernetes whose gates are known, `1.34`; empty for this program's own
 * @throws Error with upstream's message for a file that can't be read, an unknown gate or API version
 */
export function clusterFlagSettings(
  { auditLogPath, auditPolicyFile, encryptionProviderConfig: file, ...flags }: ClusterFlags,
  version: string,
  rim: Pick<AuditRim, 'log' | 'print'>,
): ClusterFlagSettings {
  featureGates(flags.featureGates, { version: version === '' ? undefined : versionNamed(version) });
  runtimeConfig(parseRuntimeConfig(flags.runtimeConfig));
  const given = { ...defaultsOf(auditFlags), auditLogPath, auditPolicyFile };
  const audit = auditSettings(given, { clock: systemClock, connect: kubeconfigWebhooks(), ...rim });
  return {
    ...(audit && { audit }),
    ...(file !== '' && { encryption: { file, reloads: false } }),
    ...(flags.featureGates.length > 0 && { featureGates: flags.featureGates }),
    ...(flags.runtimeConfig !== '' && { runtimeConfig: flags.runtimeConfig }),
  };
}
