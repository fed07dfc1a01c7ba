/** Warns about files of one volume with overlapping paths. */

import { goQuote } from '@coxswain/apimachinery';
import type { Volume } from '../volume.ts';

interface SourcedPath {
  readonly path: string;
  readonly source: string;
}

export function pathOverlapWarnings(volumes: readonly Volume[]): string[] {
  const warnings: string[] = [];
  for (const { name, configMap, secret, downwardAPI, projected } of volumes) {
    const check = (what: string, items: Parameters<typeof pathsOf>[0]) =>
      warnings.push(...overlapsOf(name, what, pathsOf(items, '')));
    if (configMap?.items != null) check(`ConfigMap ${goQuote(configMap.name ?? '')}`, configMap.items);
    if (secret?.items != null) check(`Secret ${goQuote(secret.secretName ?? '')}`, secret.items);
    if (downwardAPI?.items != null) check('DownwardAPI', downwardAPI.items);
    if (projected != null) warnings.push(...projectedWarnings(name, projected.sources ?? []));
  }
  return warnings;
}

type Source = NonNullable<NonNullable<Volume['projected']>['sources']>[number];

function projectedWarnings(name: string, sources: readonly Source[]): string[] {
  const empty = sources.filter((source) => Object.values(source).every((value) => value == null));
  return [
    ...empty.map(() => `volume ${goQuote(name)} (Projected) has no sources provided`),
    ...overlapsOf(name, 'Projected', sources.flatMap(pathsOfSource)),
  ];
}

function pathsOfSource(source: Source): SourcedPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (configMap?.items != null) return pathsOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items != null) return pathsOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items != null) return pathsOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken != null) {
    return [{ path: serviceAccountToken.path ?? '', source: 'ServiceAccountToken' }];
  }
  if (clusterTrustBundle != null) {
    const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? '';
    return [{ path: clusterTrustBundle.path ?? '', source: `ClusterTrustBundle ${goQuote(name)}` }];
  }
  const { certificateChainPath, keyPath, credentialBundlePath } = podCertificate ?? {};
  return [
    { path: certificateChainPath ?? '', source: 'PodCertificate chain' },
    { path: keyPath ?? '', source: 'PodCertificate key' },
    { path: credentialBundlePath ?? '', source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

const pathsOf = (items: readonly { path?: string }[] | null | undefined, source: string): SourcedPath[] =>
  (items ?? []).map(({ path }) => ({ path: path ?? '', source }));

function overlapsOf(name: string, what: string, paths: readonly SourcedPath[]): string[] {
  const warnings: string[] = [];
  const seen: SourcedPath[] = [];
  for (const { path, source } of paths) {
    const needle = { path: path.replace(/\/+$/, ''), source };
    for (const item of seen) {
      if (!overlap(needle.path, item.path)) continue;
      const body = `${printed(needle)} with ${printed(item)}`;
      warnings.push(`volume ${goQuote(name)} (${what}): overlapping paths: ${body}`);
    }
    seen.push(needle);
  }
  return warnings;
}

const overlap = (left: string, right: string): boolean =>
  left !== '' && right !== '' && (`${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`));

const printed = ({ path, source }: SourcedPath): string =>
  source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
