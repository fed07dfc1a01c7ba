import { cidrWarnings, FieldPath, goQuote, ipWarnings } from '@coxswain/apimachinery';
import type { ObjectMeta } from '@coxswain/schema';

interface ServiceObject {
  metadata: ObjectMeta;
  spec: {
    type?: string;
    clusterIP?: string;
    clusterIPs?: string[];
    externalIPs?: string[];
    externalName?: string;
    loadBalancerIP?: string;
    loadBalancerSourceRanges?: string[];
    sessionAffinity?: string;
    trafficDistribution?: string | null;
  };
}

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const modeAnnotation = 'service.kubernetes.io/topology-mode';

export function serviceWarnings({ metadata, spec }: ServiceObject): string[] {
  const warnings: string[] = [];
  const path = FieldPath.of('spec');
  const { clusterIPs = [], externalIPs = [], loadBalancerIP } = spec;
  if (metadata.annotations?.[hintsAnnotation] !== undefined) {
    warnings.push(`annotation ${hintsAnnotation} is deprecated, please use ${modeAnnotation} instead`);
  }
  const isExternalName = spec.type === 'ExternalName';
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  if (!isExternalName && spec.clusterIP && spec.clusterIP !== 'None') {
    warnings.push(
      ...clusterIPs.flatMap((ip, index) => ipWarnings(path.child('clusterIPs').index(index), ip)),
    );
  }
  if (isHeadless) {
    if (loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIPs.length > 0) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None') {
      warnings.push('spec.SessionAffinity is ignored for headless services');
    }
  }
  warnings.push(
    ...externalIPs.flatMap((ip, index) => ipWarnings(path.child('externalIPs').index(index), ip)),
  );
  if (externalIPs.length > 0 && !isHeadless && !isExternalName) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (loadBalancerIP) warnings.push(...ipWarnings(path.child('loadBalancerIP'), loadBalancerIP));
  const ranges = spec.loadBalancerSourceRanges ?? [];
  warnings.push(
    ...ranges.flatMap((range, index) =>
      cidrWarnings(path.child('loadBalancerSourceRanges').index(index), range),
    ),
  );
  if (isExternalName && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!isExternalName && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === 'PreferClose') {
    const better = goQuote('PreferSameZone');
    warnings.push(`spec.trafficDistribution: "PreferClose" is deprecated; use ${better}`);
  }
  return warnings;
}
