/** All admission plugins in the original's order; the order of flags means nothing. */

export interface PluginPlace {
  readonly name: string;
  readonly onByDefault: boolean;
}

const on = (name: string): PluginPlace => ({ name, onByDefault: true });
const off = (name: string): PluginPlace => ({ name, onByDefault: false });

export const pluginOrder: readonly PluginPlace[] = [
  off('AlwaysAdmit'),
  off('NamespaceAutoProvision'),
  on('NamespaceLifecycle'),
  off('NamespaceExists'),
  off('LimitPodHardAntiAffinityTopology'),
  on('LimitRanger'),
  on('ServiceAccount'),
  off('NodeRestriction'),
  on('TaintNodesByCondition'),
  off('AlwaysPullImages'),
  off('ImagePolicyWebhook'),
  on('PodSecurity'),
  off('PodNodeSelector'),
  on('Priority'),
  on('DefaultTolerationSeconds'),
  off('PodTolerationRestriction'),
  off('EventRateLimit'),
  off('ExtendedResourceToleration'),
  on('DefaultStorageClass'),
  on('StorageObjectInUseProtection'),
  on('PodGroupProtection'),
  off('OwnerReferencesPermissionEnforcement'),
  on('PersistentVolumeClaimResize'),
  on('RuntimeClass'),
  on('CertificateApproval'),
  on('CertificateSigning'),
  on('ClusterTrustBundleAttest'),
  on('CertificateSubjectRestriction'),
  on('DefaultIngressClass'),
  off('DenyServiceExternalIPs'),
  on('PodTopologyLabels'),
  on('PodGroupWorkloadExists'),
  on('NodeDeclaredFeatureValidator'),
  on('JobValidation'),
  on('PodResizeValidator'),
  on('MutatingAdmissionPolicy'),
  on('MutatingAdmissionWebhook'),
  on('ValidatingAdmissionPolicy'),
  on('ValidatingAdmissionWebhook'),
  on('ResourceQuota'),
  off('AlwaysDeny'),
];

/** Those of the original whose work concerns only what is off by default; there is nothing to do for them. */
export const withoutWork: ReadonlySet<string> = new Set([
  'AlwaysAdmit',
  'PodGroupProtection',
  'ClusterTrustBundleAttest',
  'PodGroupWorkloadExists',
  'JobValidation',
]);

/** @throws Error for a name that isn't a plugin's */
export function enabledPlugins(enable: readonly string[], disable: readonly string[]): string[] {
  const known = new Set(pluginOrder.map(({ name }) => name));
  for (const [flag, names] of [
    ['enable-admission-plugins', enable],
    ['disable-admission-plugins', disable],
  ] as const) {
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined) throw new Error(`${flag} plugin ${JSON.stringify(unknown)} is unknown`);
  }
  return pluginOrder
    .filter(({ name, onByDefault }) => enable.includes(name) || (onByDefault && !disable.includes(name)))
    .map(({ name }) => name);
}
