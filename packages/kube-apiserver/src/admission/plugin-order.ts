/** All admission plugins in upstream's order, which is independent of the flags' order. */

import { aggregateText } from '@coxswain/apimachinery';

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

/**
 * In upstream's order.
 * @throws Error for an unknown plugin, and for one that both flags name
 */
export function enabledPlugins(enable: readonly string[], disable: readonly string[]): string[] {
  const problems = [
    ...unknownNames('enable-admission-plugins', enable),
    ...unknownNames('disable-admission-plugins', disable),
    ...overlap(enable, disable),
  ];
  if (problems.length > 0) throw new Error(aggregateText(problems));
  return pluginOrder
    .filter(({ name, onByDefault }) => enable.includes(name) || (onByDefault && !disable.includes(name)))
    .map(({ name }) => name);
}

/** The legacy `--admission-control`: exactly these plugins. */
export function onlyPlugins(
  names: readonly string[],
  enable: readonly string[],
  disable: readonly string[],
): { readonly enable: readonly string[]; readonly disable: readonly string[] } {
  if (names.length === 0) return { enable, disable };
  const problems = [
    ...(enable.length > 0 || disable.length > 0
      ? [
          'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
        ]
      : []),
    ...unknownNames('admission-control', names),
  ];
  if (problems.length > 0) throw new Error(aggregateText(problems));
  const others = pluginOrder.map(({ name }) => name).filter((name) => !names.includes(name));
  return { enable: names, disable: others };
}

const known = new Set(pluginOrder.map(({ name }) => name));

const unknownNames = (flag: string, names: readonly string[]): string[] =>
  names.filter((name) => !known.has(name)).map((name) => `${flag} plugin ${JSON.stringify(name)} is unknown`);

function overlap(enable: readonly string[], disable: readonly string[]): string[] {
  const both = [...new Set(enable)].filter((name) => disable.includes(name)).sort();
  return both.length === 0
    ? []
    : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`];
}
