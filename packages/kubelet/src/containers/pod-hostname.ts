import type { Pod } from '@coxswain/api/core/v1/pod.ts';

const hostnameLengthMax = 63;
const kernelNameLengthMax = 64;

export interface PodHostname {
  readonly hostname: string;
  /** Empty unless the pod is in a subdomain. */
  readonly domain: string;
}

/** @throws Error if nothing remains of a name that is too long */
export function podHostname({ metadata, spec }: Pod, clusterDomain: string): PodHostname {
  const name = metadata?.name ?? '';
  const override = spec?.hostnameOverride;
  if (override) return { hostname: shortened(name, override), domain: '' };
  const hostname = shortened(name, spec?.hostname || name);
  const domain = spec?.subdomain ? `${spec.subdomain}.${metadata?.namespace}.svc.${clusterDomain}` : '';
  return { hostname, domain };
}

/** Returns the hostname that the container's kernel reports. @throws Error if the full name is too long */
export function kernelHostname({ spec }: Pod, { hostname, domain }: PodHostname): string {
  if (!spec?.setHostnameAsFQDN || domain === '') return hostname;
  const full = `${hostname}.${domain}`;
  if (full.length <= kernelNameLengthMax) return full;
  throw new Error(
    `failed to construct FQDN from pod hostname and cluster domain, FQDN ${full} is too long (${kernelNameLengthMax} characters is the max, ${full.length} characters requested)`,
  );
}

function shortened(podName: string, hostname: string): string {
  if (hostname.length <= hostnameLengthMax) return hostname;
  const short = hostname.slice(0, hostnameLengthMax).replace(/[-.]+$/, '');
  if (short === '') throw new Error(`hostname for pod "${podName}" was invalid: "${hostname}"`);
  return short;
}
