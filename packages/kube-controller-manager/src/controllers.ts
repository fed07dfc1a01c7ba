/** All controllers, in the order in which they are started. */

import { nodeIpamController } from './nodeipam/node-ipam-controller.ts';
import { horizontalPodAutoscalerController } from './podautoscaler/horizontal-pod-autoscaler-controller.ts';
import { endpointSliceMirroringController } from './endpointslicemirroring/mirroring-controller.ts';
import { bootstrapSigner } from './bootstrap/bootstrap-signer.ts';
import { tokenCleaner } from './bootstrap/token-cleaner.ts';
import { ttlController } from './ttl/ttl-controller.ts';
import { serviceAccountTokenController } from './serviceaccount/token-controller.ts';
import { legacyTokenCleaner } from './serviceaccount/legacy-token-cleaner.ts';
import { certificateApprover } from './certificates/approving-controller.ts';
import { certificateRequestCleaner } from './certificates/cleaner-controller.ts';
import { certificateSigner } from './certificates/signing-controller.ts';
import { clusterRoleAggregationController } from './clusterrole-aggregation/cluster-role-aggregation-controller.ts';
import type { Controller } from './controller.ts';
import { defaultSettings } from './settings.ts';
import { deviceTaintEvictionController } from './devicetainteviction/device-taint-eviction-controller.ts';
import { disruptionController } from './disruption/disruption-controller.ts';
import { attachDetachController } from './attachdetach/attach-detach-controller.ts';
import { ephemeralVolumeController } from './ephemeralvolume/ephemeral-volume-controller.ts';
import { persistentVolumeBinder } from './persistentvolume/persistent-volume-binder.ts';
import { podGarbageCollector } from './podgc/pod-garbage-collector.ts';
import { volumeExpander } from './volumeexpand/volume-expander.ts';
import { attributesClassProtectionController } from './volumeprotection/attributes-class-protection-controller.ts';
import { claimProtectionController } from './volumeprotection/claim-protection-controller.ts';
import { volumeProtectionController } from './volumeprotection/volume-protection-controller.ts';
import { resourceClaimController } from './resourceclaim/resource-claim-controller.ts';
import { taintEvictionController } from './tainteviction/taint-eviction-controller.ts';
import { ttlAfterFinishedController } from './ttl-after-finished/ttl-after-finished-controller.ts';
import { cronJobController } from './cronjob/cron-job-controller.ts';
import { daemonSetController } from './daemonset/daemon-set-controller.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { endpointsController } from './endpoints/endpoints-controller.ts';
import { endpointSliceController } from './endpointslice/endpoint-slice-controller.ts';
import { garbageCollector } from './garbagecollector/garbage-collector.ts';
import { jobController } from './job/job-controller.ts';
import { namespaceController } from './namespace/namespace-controller.ts';
import { nodeLifecycleController } from './nodelifecycle/node-lifecycle-controller.ts';
import {
  replicaSetController,
  replicationControllerController,
} from './replicaset/replica-set-controller.ts';
import { resourceQuotaController } from './resourcequota/resource-quota-controller.ts';
import { rootCaPublisher } from './root-ca/root-ca-publisher.ts';
import { serviceCidrController } from './servicecidrs/service-cidr-controller.ts';
import { statefulSetController } from './statefulset/stateful-set-controller.ts';
import { policyStatusController } from './validatingadmissionpolicy-status/policy-status-controller.ts';
import { podCertificateRequestCleaner } from './certificates/pod-certificate-request-cleaner.ts';
import { trustBundlePublisher } from './clustertrustbundle/trust-bundle-publisher.ts';
import { poolStatusRequestController } from './resourcepoolstatus/pool-status-request-controller.ts';
import { podGroupProtectionController } from './scheduling/pod-group-protection-controller.ts';
import { storageVersionCollector } from './storageversiongc/storage-version-collector.ts';
import { storageVersionMigrator } from './storageversionmigrator/storage-version-migrator.ts';
import { serviceAccountController } from './serviceaccount/service-account-controller.ts';

export const controllers: readonly Controller[] = [
  serviceAccountController,
  rootCaPublisher,
  namespaceController,
  deploymentController,
  replicaSetController,
  replicationControllerController,
  nodeIpamController,
  nodeLifecycleController,
  garbageCollector,
  endpointsController,
  endpointSliceController,
  endpointSliceMirroringController,
  jobController,
  statefulSetController,
  daemonSetController,
  horizontalPodAutoscalerController,
  disruptionController,
  ttlAfterFinishedController,
  podGarbageCollector,
  taintEvictionController,
  clusterRoleAggregationController,
  cronJobController,
  resourceQuotaController,
  serviceCidrController,
  policyStatusController,
  certificateApprover,
  certificateSigner,
  certificateRequestCleaner,
  serviceAccountTokenController,
  legacyTokenCleaner,
  bootstrapSigner,
  tokenCleaner,
  ttlController,
  persistentVolumeBinder,
  attachDetachController,
  volumeExpander,
  claimProtectionController,
  volumeProtectionController,
  attributesClassProtectionController,
  ephemeralVolumeController,
  resourceClaimController,
  deviceTaintEvictionController,
  podCertificateRequestCleaner,
  trustBundlePublisher,
  podGroupProtectionController,
  poolStatusRequestController,
  storageVersionCollector,
  storageVersionMigrator,
];

/** Maps each name of a controller to its canonical one. */
const canonicalNamesOf = (known: readonly Controller[]): ReadonlyMap<string, string> =>
  new Map(
    known.flatMap((one) => [one.name, ...(one.aliases ?? [])].map((name) => [name, one.name] as const)),
  );

const canonicalNames = canonicalNamesOf(controllers);

/**
 * Returns the controllers selected by `--controllers`: names, `*` for all enabled by default, `-name` to exclude one.
 * The first mention of a name counts. Those behind a disabled feature gate are omitted.
 * @throws Error with upstream's message for an unknown name
 */
export function enabledControllers(
  wanted: readonly string[],
  isFeatureOn: (gate: string) => boolean = defaultSettings.isFeatureOn,
  known: readonly Controller[] = controllers,
): Controller[] {
  const canonical = known === controllers ? canonicalNames : canonicalNamesOf(known);
  for (const item of wanted) {
    const name = item.replace(/^-/, '');
    if (name !== '*' && !canonical.has(name) && !unbuiltControllers.has(name)) {
      throw new Error(`"${name}" is not in the list of known controllers`);
    }
  }
  const mentions = firstMentions(wanted, canonical);
  const wantsAll = wanted.includes('*');
  return known.filter(({ name, offByDefault, featureGates }) => {
    const isWanted = mentions.get(name) ?? (wantsAll && !offByDefault);
    return isWanted && (featureGates?.every(isFeatureOn) ?? true);
  });
}

/** Whether a controller is included (true) or excluded, by its canonical name. */
function firstMentions(
  wanted: readonly string[],
  canonical: ReadonlyMap<string, string>,
): ReadonlyMap<string, boolean> {
  const mentions = new Map<string, boolean>();
  for (const item of wanted) {
    const isAskedFor = !item.startsWith('-');
    const name = canonical.get(isAskedFor ? item : item.slice(1));
    if (name !== undefined && !mentions.has(name)) mentions.set(name, isAskedFor);
  }
  return mentions;
}

/** Upstream's controllers that are not implemented here: accepted without effect. */
export const unbuiltControllers: ReadonlySet<string> = new Set([
  'cloud-node-lifecycle-controller',
  'node-route-controller',
  'selinux-warning-controller',
  'service-lb-controller',
]);
