/** Reads static pods from files on the node. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { formatTime } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { hashAnnotation, seenAnnotation, sourceAnnotation } from '../pod/pod-source.ts';

export interface ManifestProblem {
  readonly file: string;
  readonly error: unknown;
}

export interface ReadManifests {
  /** By uid, which is derived from node, file and content. */
  readonly pods: ReadonlyMap<string, Pod>;
  readonly problems: readonly ManifestProblem[];
}

/** Reads a file, or all files of a directory whose names don't start with a dot; returns nothing if it doesn't exist. */
export async function readManifests(place: string, nodeName: string, nowMs: number): Promise<ReadManifests> {
  const pods = new Map<string, Pod>();
  const problems: ManifestProblem[] = [];
  for (const file of filesAt(place)) {
    try {
      const pod = await readPod(file, nodeName, nowMs);
      pods.set(pod.metadata?.uid ?? '', pod);
    } catch (error) {
      problems.push({ file, error });
    }
  }
  return { pods, problems };
}

function filesAt(place: string): readonly string[] {
  const info = statSync(place, { throwIfNoEntry: false });
  if (info === undefined) return [];
  if (!info.isDirectory()) return [place];
  return readdirSync(place)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => path.join(place, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** The pod schema is large, so it is loaded only if there are such files. */
async function readPod(file: string, nodeName: string, nowMs: number): Promise<Pod> {
  const [{ Pod: podKind }, { applyDefaults, decodeValue }] = await Promise.all([
    import('@coxswain/api/core/v1/pod.ts'),
    import('@coxswain/schema'),
  ]);
  const text = readFileSync(file, 'utf8');
  const document = readYaml(text) as { readonly kind?: string; readonly apiVersion?: string } | undefined;
  if (document?.kind !== 'Pod' || document.apiVersion !== 'v1')
    throw new Error('invalid pod: not a Pod of v1');
  const { object } = decodeValue(podKind.type, document);
  const given = object as Pod;
  if (!given.metadata?.name) throw new Error('invalid pod: name is needed for the pod');
  refuseReferences(given);
  const uid = given.metadata.uid || uidOf(text, nodeName, file);
  const pod = {
    ...given,
    metadata: {
      ...given.metadata,
      name: `${given.metadata.name}-${nodeName}`,
      namespace: given.metadata.namespace || 'default',
      uid,
      annotations: {
        ...given.metadata.annotations,
        [hashAnnotation]: uid,
        [seenAnnotation]: formatTime(nowMs),
        [sourceAnnotation]: 'file',
      },
    },
    spec: {
      ...given.spec,
      nodeName,
      tolerations: [...(given.spec?.tolerations ?? []), { operator: 'Exists', effect: 'NoExecute' }],
    },
    status: { phase: 'Pending' },
  } as unknown as Pod;
  applyDefaults(podKind.type, pod);
  for (const fill of podKind.behaviour.defaults ?? []) fill(pod, nowMs);
  return pod;
}

const uidOf = (text: string, nodeName: string, file: string): string =>
  createHash('md5').update(text).update(`host:${nodeName}`).update(`file:${file}`).digest('hex');

/** Static pods run before the API is available, so they may not refer to API objects. @throws Error */
function refuseReferences({ spec }: Pod): void {
  const volumes = spec?.volumes ?? [];
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  const env = containers.flatMap((each) => each.env ?? []);
  const envFrom = containers.flatMap((each) => each.envFrom ?? []);
  const refused: readonly (readonly [resource: string, isReferenced: boolean])[] = [
    ['serviceaccounts', Boolean(spec?.serviceAccountName)],
    [
      'configmaps',
      volumes.some(({ configMap }) => configMap) ||
        sources.some(({ configMap }) => configMap) ||
        env.some(({ valueFrom }) => valueFrom?.configMapKeyRef) ||
        envFrom.some(({ configMapRef }) => configMapRef),
    ],
    [
      'secrets',
      volumes.some(({ secret }) => secret) ||
        sources.some(({ secret }) => secret) ||
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef) ||
        envFrom.some(({ secretRef }) => secretRef) ||
        Boolean(spec?.imagePullSecrets?.length),
    ],
    [
      'persistentvolumeclaims',
      volumes.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim ?? ephemeral),
    ],
    ['clustertrustbundles', sources.some(({ clusterTrustBundle }) => clusterTrustBundle)],
    ['resourceclaims', Boolean(spec?.resourceClaims?.length)],
  ];
  for (const [resource, isReferenced] of refused)
    if (isReferenced) throw new Error(`static pods may not reference ${resource}`);
}
