/** The admission chain of a server: the enabled plugins in order. */
import type { Clock, Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AdmissionPlugin, Authorizer } from '@coxswain/apiserver';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { EquivalentResources } from './equivalent-resources.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { PluginConfigurations } from './configuration/admission-configuration.ts';
import { readClusterTolerations } from './configuration/cluster-tolerations.ts';
import { readEventLimits } from './configuration/event-limits.ts';
import { readImagePolicy } from './configuration/image-policy.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { WebhookConnector } from '../webhook-connection.ts';
import type { WebhookCredentialsReader } from '../webhooks/webhook-credentials.ts';
import { readLimitedResources } from './configuration/limited-resources.ts';
import { readNodeSelectors } from './configuration/node-selectors.ts';
import { readPodSecurityConfiguration } from './configuration/pod-security-configuration.ts';
import { checkPolicyConfiguration } from './configuration/static-manifests.ts';
import { webhookCredentials } from './configuration/webhook-admission.ts';
import { enabledPlugins } from './plugin-order.ts';
import { alwaysDeny } from './plugins/always-deny.ts';
import { alwaysPullImages } from './plugins/always-pull-images.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from './plugins/certificates.ts';
import { clusterTrustBundleAttest } from './plugins/cluster-trust-bundle-attest.ts';
import { defaultIngressClass, defaultStorageClass } from './plugins/default-class.ts';
import { defaultTolerationSeconds, type TolerationSeconds } from './plugins/default-toleration-seconds.ts';
import { denyServiceExternalIps } from './plugins/deny-service-external-ips.ts';
import { eventRateLimit } from './plugins/event-rate-limit.ts';
import { extendedResourceToleration } from './plugins/extended-resource-toleration.ts';
import { imagePolicyWebhook } from './plugins/image-policy-webhook.ts';
import { jobValidation } from './plugins/job-validation.ts';
import { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './plugins/limit-ranger.ts';
import { namespaceAutoProvision, namespaceExists } from './plugins/namespace-existence.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { nodeRestriction } from './plugins/node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import { podGroupProtection } from './plugins/pod-group-protection.ts';
import { podGroupWorkloadExists } from './plugins/pod-group-workload-exists.ts';
import { podNodeSelector } from './plugins/pod-node-selector.ts';
import { podPreset } from './plugins/pod-preset.ts';
import { podSecurity } from './plugins/pod-security.ts';
import { newestPolicyOf } from './pod-security/policy.ts';
import { nodeDeclaredFeatures } from './plugins/node-declared-features.ts';
import { podResize } from './plugins/pod-resize.ts';
import { podTolerationRestriction } from './plugins/pod-toleration-restriction.ts';
import { podTopologyLabels } from './plugins/pod-topology-labels.ts';
import { mutatingAdmissionPolicy, validatingAdmissionPolicy } from './plugins/admission-policies.ts';
import type { MutatingParts } from './policies/mutate-write.ts';
import { paramAccess } from './policies/param-access.ts';
import { PolicyMetrics } from './policies/policy-metrics.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota, type QuotaAccessor } from './plugins/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { serviceAccount } from './plugins/service-account.ts';
import type { ResourceMapper } from './resource-mapper.ts';
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import {
  mutatingAdmissionWebhook,
  validatingAdmissionWebhook,
  type WebhookPluginParts,
} from './plugins/webhooks.ts';

export interface PluginParts {
  readonly objects: ObjectReader;
  readonly equivalents: EquivalentResources;
  readonly authorizer: Authorizer;
  readonly random: Random;
  readonly quotas: QuotaAccessor;
  readonly createNamespace: (name: string) => Promise<void>;
  readonly tolerationSeconds: TolerationSeconds;
  /** Whether PodPresets are served, which enables their plugin. */
  readonly hasPodPresets: boolean;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly features: FeatureGates;
  readonly mappingsOf: ResourceMapper;
  /** From `--admission-control-config-file`. */
  readonly configurations: PluginConfigurations;
  readonly connect: WebhookConnector;
  /** How admission webhooks are reached. */
  readonly caller: WebhookCaller;
  /** Reads the credentials for webhooks. */
  readonly readWebhookCredentials: WebhookCredentialsReader;
  readonly newUid: () => string;
}

/** Returns undefined if a disabled feature leaves the plugin without work. */
type MakePlugin = (parts: PluginParts, configuration: string | undefined) => AdmissionPlugin | undefined;

const ifEnabled =
  (gate: string, make: MakePlugin): MakePlugin =>
  (parts, configuration) =>
    parts.features.enabled(gate) ? make(parts, configuration) : undefined;

const policyParts = (parts: PluginParts): MutatingParts => ({
  ...parts,
  metrics: new PolicyMetrics(parts.metrics, () => parts.clock.monotonic()),
});

const webhookParts = (parts: PluginParts, configuration: string | undefined): WebhookPluginParts => ({
  ...parts,
  credentialsOf: webhookCredentials(configuration, parts.features, parts.readWebhookCredentials),
});

const makers: Readonly<Record<string, MakePlugin>> = {
  AlwaysAdmit: () => undefined,
  NamespaceAutoProvision: ({ objects, createNamespace }) => namespaceAutoProvision(objects, createNamespace),
  NamespaceLifecycle: ({ objects }) => namespaceLifecycle(objects),
  NamespaceExists: ({ objects }) => namespaceExists(objects),
  LimitRanger: ({ objects }) => limitRanger(objects),
  ServiceAccount: ({ objects, random }) => serviceAccount(objects, random),
  TaintNodesByCondition: () => taintNodesByCondition,
  PodSecurity: ({ objects, features }, text) =>
    podSecurity(objects, newestPolicyOf(features.version), readPodSecurityConfiguration(text)),
  Priority: ({ objects }) => priority(objects),
  DefaultTolerationSeconds: ({ tolerationSeconds }) => defaultTolerationSeconds(tolerationSeconds),
  DefaultStorageClass: ({ objects }) => defaultStorageClass(objects),
  StorageObjectInUseProtection: ({ features }) => storageObjectInUseProtection(features),
  PersistentVolumeClaimResize: ({ objects }) => persistentVolumeClaimResize(objects),
  RuntimeClass: ({ objects }) => runtimeClass(objects),
  CertificateApproval: ({ authorizer }) => certificateApproval(authorizer),
  CertificateSigning: ({ authorizer }) => certificateSigning(authorizer),
  CertificateSubjectRestriction: () => certificateSubjectRestriction,
  DefaultIngressClass: ({ objects }) => defaultIngressClass(objects),
  PodTopologyLabels: ifEnabled('PodTopologyLabelsAdmission', ({ objects }) => podTopologyLabels(objects)),
  NodeDeclaredFeatureValidator: ({ objects }) => nodeDeclaredFeatures(objects),
  PodResizeValidator: ({ objects }) => podResize(objects),
  MutatingAdmissionPolicy(parts, text) {
    checkPolicyConfiguration('MutatingAdmissionPolicyConfiguration', text, parts.features);
    return mutatingAdmissionPolicy(policyParts(parts));
  },
  MutatingAdmissionWebhook: (parts, text) => mutatingAdmissionWebhook(webhookParts(parts, text)),
  ValidatingAdmissionPolicy(parts, text) {
    checkPolicyConfiguration('ValidatingAdmissionPolicyConfiguration', text, parts.features);
    return validatingAdmissionPolicy(policyParts(parts));
  },
  ValidatingAdmissionWebhook: (parts, text) => validatingAdmissionWebhook(webhookParts(parts, text)),
  ResourceQuota: ({ objects, quotas, features }, text) =>
    resourceQuota(objects, quotas, readLimitedResources(text), features.enabled('DRAExtendedResource')),
  AlwaysPullImages: () => alwaysPullImages,
  DenyServiceExternalIPs: () => denyServiceExternalIps,
  ExtendedResourceToleration: () => extendedResourceToleration,
  AlwaysDeny: () => alwaysDeny,
  LimitPodHardAntiAffinityTopology: () => limitPodHardAntiAffinityTopology,
  NodeRestriction: ({ objects, authorizer, features }) => nodeRestriction(objects, authorizer, features),
  ImagePolicyWebhook: ({ clock, random, connect }, text) =>
    imagePolicyWebhook(readImagePolicy(text), connect, clock, random),
  PodNodeSelector: ({ objects }, text) => podNodeSelector(objects, readNodeSelectors(text)),
  PodTolerationRestriction: ({ objects }, text) =>
    podTolerationRestriction(objects, readClusterTolerations(text)),
  EventRateLimit: ({ clock }, text) => eventRateLimit(readEventLimits(text), clock),
  OwnerReferencesPermissionEnforcement: ({ authorizer, mappingsOf }) =>
    ownerReferencesPermissionEnforcement(authorizer, mappingsOf),
  ClusterTrustBundleAttest: ifEnabled('ClusterTrustBundle', ({ authorizer }) =>
    clusterTrustBundleAttest(authorizer),
  ),
  PodGroupProtection: ifEnabled('GenericWorkload', () => podGroupProtection),
  PodGroupWorkloadExists: ifEnabled('GenericWorkload', ({ objects }) => podGroupWorkloadExists(objects)),
  JobValidation: ifEnabled('GenericWorkload', ({ objects }) => jobValidation(objects)),
};

/** @throws Error for unknown plugins, and for an invalid plugin configuration */
export function admissionPlugins(
  enable: readonly string[],
  disable: readonly string[],
  parts: PluginParts,
): AdmissionPlugin[] {
  const plugins = enabledPlugins(enable, disable).flatMap((name) => madePlugin(name, parts) ?? []);
  const always = [paramAccess(parts), ...plugins];
  return parts.hasPodPresets ? [podPreset(parts.objects), ...always] : always;
}

function madePlugin(name: string, parts: PluginParts): AdmissionPlugin | undefined {
  try {
    return makers[name]!(parts, parts.configurations.get(name));
  } catch (failure) {
    // This one's configuration is checked a step later.
    const doing = name === 'PodSecurity' ? 'failed to initialize' : "couldn't init";
    const message = messageOf(failure);
    throw new Error(`failed to apply admission: ${doing} admission plugin "${name}": ${message}`, {
      cause: failure,
    });
  }
}
