/** The admission chain of a server: the plugins that are on, in order. */
import type { Random } from '@coxswain/apimachinery';
import type { AdmissionPlugin, Authorizer } from '@coxswain/apiserver';
import type { ObjectReader } from './object-reader.ts';
import { enabledPlugins, withoutWork } from './plugin-order.ts';
import { alwaysDeny } from './plugins/always-deny.ts';
import { alwaysPullImages } from './plugins/always-pull-images.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from './plugins/certificates.ts';
import { defaultIngressClass, defaultStorageClass } from './plugins/default-class.ts';
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
import type { TolerationSeconds } from './plugins/default-toleration-seconds.ts';
import { denyServiceExternalIps } from './plugins/deny-service-external-ips.ts';
import { extendedResourceToleration } from './plugins/extended-resource-toleration.ts';
import { limitRanger } from './plugins/limit-ranger.ts';
import { namespaceAutoProvision, namespaceExists } from './plugins/namespace-existence.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import { podPreset } from './plugins/pod-preset.ts';
import { podSecurity } from './plugins/pod-security.ts';
import { nodeDeclaredFeatures } from './plugins/node-declared-features.ts';
import { podResize } from './plugins/pod-resize.ts';
import { podTopologyLabels } from './plugins/pod-topology-labels.ts';
import { mutatingAdmissionPolicy, validatingAdmissionPolicy } from './plugins/policy-places.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resource-quota.ts';
import type { QuotaBook } from './plugins/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { serviceAccount } from './plugins/service-account.ts';
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './plugins/webhook-places.ts';

export interface PluginParts {
  readonly objects: ObjectReader;
  readonly authorizer: Authorizer;
  readonly random: Random;
  readonly quotas: QuotaBook;
  readonly createNamespace: (name: string) => Promise<void>;
  readonly tolerationSeconds: TolerationSeconds;
  /** Whether PodPresets are served; then they have their effect. */
  readonly hasPodPresets: boolean;
}

type MakePlugin = (parts: PluginParts) => AdmissionPlugin;

const makers: Readonly<Record<string, MakePlugin>> = {
  NamespaceAutoProvision: ({ objects, createNamespace }) => namespaceAutoProvision(objects, createNamespace),
  NamespaceLifecycle: ({ objects }) => namespaceLifecycle(objects),
  NamespaceExists: ({ objects }) => namespaceExists(objects),
  LimitRanger: ({ objects }) => limitRanger(objects),
  ServiceAccount: ({ objects, random }) => serviceAccount(objects, random),
  TaintNodesByCondition: () => taintNodesByCondition,
  PodSecurity: ({ objects }) => podSecurity(objects),
  Priority: ({ objects }) => priority(objects),
  DefaultTolerationSeconds: ({ tolerationSeconds }) => defaultTolerationSeconds(tolerationSeconds),
  DefaultStorageClass: ({ objects }) => defaultStorageClass(objects),
  StorageObjectInUseProtection: () => storageObjectInUseProtection,
  PersistentVolumeClaimResize: ({ objects }) => persistentVolumeClaimResize(objects),
  RuntimeClass: ({ objects }) => runtimeClass(objects),
  CertificateApproval: ({ authorizer }) => certificateApproval(authorizer),
  CertificateSigning: ({ authorizer }) => certificateSigning(authorizer),
  CertificateSubjectRestriction: () => certificateSubjectRestriction,
  DefaultIngressClass: ({ objects }) => defaultIngressClass(objects),
  PodTopologyLabels: ({ objects }) => podTopologyLabels(objects),
  NodeDeclaredFeatureValidator: ({ objects }) => nodeDeclaredFeatures(objects),
  PodResizeValidator: ({ objects }) => podResize(objects),
  MutatingAdmissionPolicy: ({ objects }) => mutatingAdmissionPolicy(objects),
  MutatingAdmissionWebhook: ({ objects }) => mutatingAdmissionWebhook(objects),
  ValidatingAdmissionPolicy: ({ objects }) => validatingAdmissionPolicy(objects),
  ValidatingAdmissionWebhook: ({ objects }) => validatingAdmissionWebhook(objects),
  ResourceQuota: ({ objects, quotas }) => resourceQuota(objects, quotas),
  AlwaysPullImages: () => alwaysPullImages,
  DenyServiceExternalIPs: () => denyServiceExternalIps,
  ExtendedResourceToleration: () => extendedResourceToleration,
  AlwaysDeny: () => alwaysDeny,
};

/** Plugins that are asked for and not built; the server refuses to start with one. */
export const unbuiltPlugins = (names: readonly string[]): string[] =>
  names.filter((name) => makers[name] === undefined && !withoutWork.has(name));

/** @throws Error for unknown plugins, and for those that aren't built */
export function admissionPlugins(
  enable: readonly string[],
  disable: readonly string[],
  parts: PluginParts,
): AdmissionPlugin[] {
  const names = enabledPlugins(enable, disable);
  const unbuilt = unbuiltPlugins(names);
  if (unbuilt.length > 0)
    throw new Error(`admission plugins not implemented by this server: ${unbuilt.join(', ')}`);
  const plugins = names.flatMap((name) => makers[name]?.(parts) ?? []);
  return parts.hasPodPresets ? [podPreset(parts.objects), ...plugins] : plugins;
}
