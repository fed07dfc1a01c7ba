/** Computes the files of volumes with contents from the API. */
import type { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import type { ClusterTrustBundle } from '@coxswain/api/certificates/v1beta1/cluster-trust-bundle.ts';
import type { ClusterTrustBundleProjection } from '@coxswain/api/core/v1/volume-projection.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { isStatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { podFieldText, resourceText, type NodeFacts } from '../pod/downward-api.ts';
import { effectiveSecurity } from '../pod/effective-security.ts';
import type { Payload, ProjectedFile } from './atomic-writer.ts';

export interface ContentSources {
  /** @throws StatusError 404 */
  configMap(namespace: string, name: string, podUid: string): Promise<ConfigMap>;
  /** @throws StatusError 404 */
  secret(namespace: string, name: string, podUid: string): Promise<Secret>;
  /** Returns a token for the pod's service account with enough lifetime left. */
  token(pod: Pod, audience: string, expirationSeconds: number): Promise<string>;
  /** @throws StatusError, also if the API doesn't serve this kind */
  trustBundles?(choice: TrustBundleChoice): Promise<readonly ClusterTrustBundle[]>;
  facts(pod: Pod): NodeFacts;
}

/** Selects a bundle by name, or all bundles of a signer that match the selector. */
export type TrustBundleChoice = Pick<ClusterTrustBundleProjection, 'name' | 'signerName' | 'labelSelector'>;

type Files = Map<string, ProjectedFile>;
type Items = readonly { readonly key: string; readonly path: string; readonly mode?: number | null }[];

const modeDefault = 0o644;

export const comesFromApi = (volume: Volume): boolean =>
  Boolean(volume.configMap ?? volume.secret ?? volume.downwardAPI ?? volume.projected);

/** @throws Error with upstream's message if something required is missing */
export async function volumePayload(pod: Pod, volume: Volume, sources: ContentSources): Promise<Payload> {
  const { configMap, secret, downwardAPI, projected } = volume;
  const reader = new ContentReader(pod, sources);
  const files: Files = new Map();
  if (configMap) await reader.configMap(files, configMap, configMap.defaultMode ?? modeDefault);
  else if (secret)
    await reader.secret(
      files,
      { ...secret, name: secret.secretName ?? '' },
      secret.defaultMode ?? modeDefault,
    );
  else if (downwardAPI)
    reader.downwardApi(files, downwardAPI.items ?? [], downwardAPI.defaultMode ?? modeDefault);
  else if (projected) {
    const mode = projected.defaultMode ?? modeDefault;
    for (const source of projected.sources ?? []) await reader.projection(files, source, mode);
  }
  return files;
}

type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number];
type DownwardItems = NonNullable<NonNullable<Volume['downwardAPI']>['items']>;

interface Reference {
  readonly name?: string;
  readonly items?: Items;
  readonly optional?: boolean | null;
}

class ContentReader {
  readonly #pod: Pod;
  readonly #sources: ContentSources;

  constructor(pod: Pod, sources: ContentSources) {
    this.#pod = pod;
    this.#sources = sources;
  }

  async projection(files: Files, source: Projection, mode: number): Promise<void> {
    const { configMap, secret, downwardAPI, serviceAccountToken } = source;
    if (configMap) await this.configMap(files, configMap, mode);
    else if (secret) await this.secret(files, secret, mode);
    else if (downwardAPI) this.downwardApi(files, downwardAPI.items ?? [], mode);
    else if (serviceAccountToken) {
      const { audience = '', expirationSeconds = 3600, path } = serviceAccountToken;
      const token = await this.#sources.token(this.#pod, audience, Number(expirationSeconds));
      files.set(path, { bytes: new TextEncoder().encode(token), ...this.#tokenRights(mode) });
    } else if (source.clusterTrustBundle) {
      const { path } = source.clusterTrustBundle;
      const bytes = encoder.encode(await this.#trustAnchors(source.clusterTrustBundle));
      files.set(path, { bytes, ...this.#tokenRights(mode) });
    } else if (source.podCertificate) throw new Error('podCertificate projections are not implemented');
  }

  async #trustAnchors({ optional, ...choice }: ClusterTrustBundleProjection): Promise<string> {
    if (!choice.name && !choice.signerName)
      throw new Error('ClusterTrustBundle projection requires either name or signerName to be set');
    const bundles = await missingIsEmpty(optional, async () => this.#sources.trustBundles?.(choice)).catch(
      (error: unknown) => {
        const why = messageOf(error);
        throw new Error(`while getting ClusterTrustBundle: ${why}`, { cause: error });
      },
    );
    if (!choice.name && !optional && !bundles?.length)
      throw new Error('combination of signerName and labelSelector matched zero ClusterTrustBundles');
    return distinctCertificates((bundles ?? []).map(({ spec }) => spec?.trustBundle ?? ''));
  }

  async configMap(files: Files, { name = '', items, optional }: Reference, mode: number): Promise<void> {
    const object = await missingIsEmpty(optional, () =>
      this.#sources.configMap(this.#namespace, name, this.#uid),
    );
    const text = Object.entries(object?.data ?? {}).map(
      ([key, value]) => [key, encoder.encode(value)] as const,
    );
    const all = new Map<string, Uint8Array>([...text, ...bytesOfBase64(object?.binaryData)]);
    choose(
      files,
      all,
      items,
      mode,
      optional,
      (key) => `configmap references non-existent config key: ${key}`,
    );
  }

  async secret(files: Files, { name = '', items, optional }: Reference, mode: number): Promise<void> {
    const object = await missingIsEmpty(optional, () =>
      this.#sources.secret(this.#namespace, name, this.#uid),
    );
    const all = new Map(bytesOfBase64(object?.data));
    choose(files, all, items, mode, optional, (key) => `references non-existent secret key: ${key}`);
  }

  downwardApi(files: Files, items: DownwardItems, mode: number): void {
    const facts = this.#sources.facts(this.#pod);
    for (const { path, fieldRef, resourceFieldRef, mode: own } of items) {
      const text = fieldRef
        ? podFieldText(this.#pod, fieldRef.fieldPath, facts)
        : resourceText(this.#pod, undefined, resourceFieldRef!, facts);
      files.set(path, { bytes: encoder.encode(text), mode: own ?? mode });
    }
  }

  /**
   * A token is readable only by its owner, the common user of all containers, if there is one. The same mode applies to
   * a pod with an fsGroup, whose group gets access when it is applied to the volume.
   */
  #tokenRights(mode: number): { mode: number; uid?: number } {
    const { fsGroup } = this.#pod.spec?.securityContext ?? {};
    const uid = commonUser(this.#pod);
    const isNarrow = uid !== undefined || (fsGroup !== undefined && fsGroup !== null);
    return { mode: isNarrow ? 0o600 : mode, ...(uid === undefined ? {} : { uid }) };
  }

  get #uid(): string {
    return this.#pod.metadata?.uid ?? '';
  }

  get #namespace(): string {
    return this.#pod.metadata?.namespace ?? '';
  }
}

const encoder = new TextEncoder();

/**
 * Includes each certificate once, however many bundles contain it. Sorted, whereas upstream shuffles so that nothing
 * relies on the order.
 */
function distinctCertificates(bundles: readonly string[]): string {
  const blocks = bundles.flatMap((text) => text.match(certificateBlock) ?? []);
  const bodies = new Set(blocks.map((block) => block.replaceAll(/-----[^-]+-----|\s/g, '')));
  return [...bodies]
    .sort()
    .map((body) => {
      const lines = body.match(/.{1,64}/g) ?? [];
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
    })
    .join('');
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

const bytesOfBase64 = (data: Readonly<Record<string, string>> = {}): [string, Uint8Array][] =>
  Object.entries(data).map(([key, text]) => [key, Uint8Array.fromBase64(text)]);

async function missingIsEmpty<T>(
  optional: boolean | null | undefined,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (optional && isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

function choose(
  files: Files,
  all: ReadonlyMap<string, Uint8Array>,
  items: Items | undefined,
  mode: number,
  optional: boolean | null | undefined,
  missing: (key: string) => string,
): void {
  if (!items?.length) for (const [key, bytes] of all) files.set(key, { bytes, mode });
  for (const { key, path, mode: own } of items ?? []) {
    const bytes = all.get(key);
    if (bytes !== undefined) files.set(path, { bytes, mode: own ?? mode });
    else if (!optional) throw new Error(missing(key));
  }
}

/** The user that every container of the pod runs as, if specified. */
function commonUser(pod: Pod): number | undefined {
  const users = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].map(
    (container) => effectiveSecurity(pod, container).runAsUser,
  );
  const [first] = users;
  if (first === undefined || first === null || users.some((user) => user !== first)) return undefined;
  return Number(first);
}
