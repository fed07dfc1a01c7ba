/** ConfigMaps, Secrets, tokens and claims that the node's pods use from the API. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { TokenRequest } from '@coxswain/api/authentication/v1/token-request.ts';
import type { ClusterTrustBundle } from '@coxswain/api/certificates/v1beta1/cluster-trust-bundle.ts';
import type { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import {
  isStatusError,
  labelSelectorFromSpec,
  notFound,
  type Clock,
  type KubeObject,
  type Random,
} from '@coxswain/apimachinery';
import { resizeConditions } from './expand-volume.ts';
import type { TrustBundleChoice } from './volume-content.ts';
import { reflect, type KubeClient } from '@coxswain/client';

/**
 * How changes of ConfigMaps and Secrets are detected: at once by a watch, or on the next sync of a pod, with responses
 * cached for up to a minute or requested each time.
 */
export type ChangeDetection = 'Watch' | 'Cache' | 'Get';

export interface ApiSourcesOptions {
  /** Defaults to `Watch`. */
  readonly strategy?: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

type Watched = 'configmaps' | 'secrets';

interface ObjectWatch {
  readonly pods: Set<string>;
  readonly stopping: AbortController;
  object: KubeObject | undefined;
  readonly listed: PromiseWithResolvers<void>;
}

/** A token is renewed after this part of its lifetime, but at the latest after a day. */
const tokenShare = 0.8;
const tokenMsMax = 24 * 3_600_000;
const tokenJitterMs = 10_000;
/** For the strategy `Cache`. */
const answerMsMax = 60_000;

const isChangeDetection = (text: string): text is ChangeDetection =>
  text === 'Watch' || text === 'Cache' || text === 'Get';

/** Uses a separate watch for each object that pods refer to, since a node may not watch more. */
export class ApiSources {
  readonly #options: ApiSourcesOptions;
  readonly #watches = new Map<string, ObjectWatch>();
  readonly #listeners: ((podUid: string) => void)[] = [];
  readonly #strategy: ChangeDetection;
  readonly #answers = new Map<string, { readonly atMs: number; readonly object: KubeObject }>();
  readonly #tokens = new Map<string, { readonly status: TokenStatus; readonly refreshMs: number }>();

  constructor(options: ApiSourcesOptions) {
    this.#options = options;
    const { strategy = 'Watch' } = options;
    if (!isChangeDetection(strategy))
      throw new Error(`unknown configmap and secret manager mode: ${strategy}`);
    this.#strategy = strategy;
  }

  /** Registers a listener that is called for each pod that refers to a changed object. */
  onChange(listener: (podUid: string) => void): void {
    this.#listeners.push(listener);
  }

  /** @throws StatusError 404 */
  async configMap(namespace: string, name: string, podUid?: string): Promise<ConfigMap> {
    return (await this.#read('configmaps', namespace, name, podUid)) as unknown as ConfigMap;
  }

  /** @throws StatusError 404 */
  async secret(namespace: string, name: string, podUid?: string): Promise<Secret> {
    return (await this.#read('secrets', namespace, name, podUid)) as unknown as Secret;
  }

  claim(namespace: string, name: string): Promise<PersistentVolumeClaim> {
    const claims = this.#options.client.resource<PersistentVolumeClaim & KubeObject>(
      'v1',
      'persistentvolumeclaims',
    );
    return claims.namespace(namespace).get(name);
  }

  /** @throws StatusError */
  async claimGrown({ metadata, status }: PersistentVolumeClaim, storage: string): Promise<void> {
    const claims = this.#options.client.resource<PersistentVolumeClaim & KubeObject>(
      'v1',
      'persistentvolumeclaims',
    );
    const conditions = (status?.conditions ?? []).filter(({ type }) => !resizeConditions.has(type));
    const patch = {
      status: { capacity: { storage }, conditions, allocatedResourceStatuses: { storage: null } },
    };
    await claims
      .namespace(metadata?.namespace ?? '')
      .patch(metadata?.name ?? '', patch as unknown as Partial<PersistentVolumeClaim & KubeObject>, {
        type: 'merge',
        subresource: 'status',
      });
  }

  persistentVolume(name: string): Promise<PersistentVolume> {
    return this.#options.client.resource<PersistentVolume & KubeObject>('v1', 'persistentvolumes').get(name);
  }

  /** @throws StatusError */
  async trustBundles({
    name,
    signerName,
    labelSelector,
  }: TrustBundleChoice): Promise<readonly ClusterTrustBundle[]> {
    const bundles = this.#options.client.resource<ClusterTrustBundle & KubeObject>(
      'certificates.k8s.io/v1beta1',
      'clustertrustbundles',
    );
    if (name) return [await bundles.get(name)];
    const selector = labelSelectorFromSpec(labelSelector);
    const { items } = await bundles.list({ fieldSelector: `spec.signerName=${signerName}` });
    return items.filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  }

  /** Returns the handler of a RuntimeClass; empty for the runtime's default. @throws StatusError 404 */
  async runtimeHandler(name: string | null | undefined): Promise<string> {
    if (!name) return '';
    const classes = this.#options.client.resource<KubeObject & { readonly handler: string }>(
      'node.k8s.io/v1',
      'runtimeclasses',
    );
    return (await classes.get(name)).handler;
  }

  async token(pod: Pod, audience: string, expirationSeconds: number): Promise<string> {
    return (await this.tokenStatus(pod, audience, expirationSeconds)).token;
  }

  /** Returns a token with most of its lifetime left. */
  async tokenStatus(pod: Pod, audience: string, expirationSeconds: number): Promise<TokenStatus> {
    const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
    const key = `${uid}/${audience}/${expirationSeconds}`;
    const { client, clock, random } = this.#options;
    const known = this.#tokens.get(key);
    if (known !== undefined && clock.now() < known.refreshMs) return known.status;
    const requests = client.resource<KubeObject & TokenRequest>('v1', 'serviceaccounts').namespace(namespace);
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        audiences: audience === '' ? [] : [audience],
        expirationSeconds,
        boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, uid },
      },
    } as unknown as KubeObject & TokenRequest;
    try {
      const { status } = await requests.create(request, {
        subresource: 'token',
        name: pod.spec?.serviceAccountName || 'default',
      });
      const lifeMs = Math.min(
        (Date.parse(status.expirationTimestamp) - clock.now()) * tokenShare,
        tokenMsMax,
      );
      this.#tokens.set(key, {
        status,
        refreshMs: clock.now() + lifeMs - random.next() * tokenJitterMs,
      });
      return status;
    } catch (error) {
      // An existing token is used as long as it is valid.
      if (known !== undefined && !isStatusError(error, 'NotFound')) return known.status;
      throw error;
    }
  }

  /** Ends the watches that only this pod needed. */
  forget(podUid: string): void {
    for (const [key, watch] of this.#watches) {
      if (!watch.pods.delete(podUid) || watch.pods.size > 0) continue;
      watch.stopping.abort();
      this.#watches.delete(key);
    }
    for (const key of this.#tokens.keys()) if (key.startsWith(`${podUid}/`)) this.#tokens.delete(key);
  }

  async #read(
    resource: Watched,
    namespace: string,
    name: string,
    podUid: string | undefined,
  ): Promise<KubeObject> {
    if (podUid === undefined || this.#strategy === 'Get') return this.#get(resource, namespace, name);
    if (this.#strategy === 'Cache') return this.#cached(resource, namespace, name);
    const key = `${resource}/${namespace}/${name}`;
    let watch = this.#watches.get(key);
    if (watch === undefined) {
      watch = this.#watch(resource, namespace, name);
      this.#watches.set(key, watch);
    }
    watch.pods.add(podUid);
    await watch.listed.promise;
    if (watch.object === undefined) throw notFound({ group: '', resource: resource.slice(0, -1) }, name);
    return watch.object;
  }

  async #cached(resource: Watched, namespace: string, name: string): Promise<KubeObject> {
    const nowMs = this.#options.clock.monotonic();
    for (const [key, { atMs }] of this.#answers) if (nowMs - atMs >= answerMsMax) this.#answers.delete(key);
    const key = `${resource}/${namespace}/${name}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known.object;
    const object = await this.#get(resource, namespace, name);
    this.#answers.set(key, { atMs: nowMs, object });
    return object;
  }

  async #get(resource: Watched, namespace: string, name: string): Promise<KubeObject> {
    try {
      return await this.#options.client.resource('v1', resource).namespace(namespace).get(name);
    } catch (error) {
      if (isStatusError(error, 'NotFound'))
        throw notFound({ group: '', resource: resource.slice(0, -1) }, name);
      throw error;
    }
  }

  #watch(resource: Watched, namespace: string, name: string): ObjectWatch {
    const { client, clock, random, signal, onError } = this.#options;
    const stopping = new AbortController();
    const watch: ObjectWatch = {
      pods: new Set(),
      stopping,
      object: undefined,
      listed: Promise.withResolvers(),
    };
    const set = (object: KubeObject | undefined): void => {
      const before = watch.object?.metadata.resourceVersion;
      watch.object = object;
      if (before !== object?.metadata.resourceVersion)
        for (const uid of watch.pods) for (const listener of this.#listeners) listener(uid);
    };
    const failed = (error: unknown): void => {
      onError(error);
      watch.listed.reject(error);
      // The next request starts a new watch.
      if (watch.object === undefined) this.#drop(watch);
    };
    watch.listed.promise.catch(() => undefined);
    detach(
      reflect<KubeObject>({
        resource: client.resource('v1', resource).namespace(namespace),
        fieldSelector: `metadata.name=${name}`,
        clock,
        random,
        signal: AbortSignal.any([signal, stopping.signal]),
        onError: failed,
        target: {
          replace: (objects) => {
            set(objects[0]);
            watch.listed.resolve();
          },
          apply: (events) => {
            for (const { type, object } of events)
              if (type !== 'BOOKMARK') set(type === 'DELETED' ? undefined : object);
          },
        },
      }),
    );
    return watch;
  }

  #drop(watch: ObjectWatch): void {
    for (const [key, known] of this.#watches) if (known === watch) this.#watches.delete(key);
    watch.stopping.abort();
  }
}

export interface TokenStatus {
  readonly token: string;
  readonly expirationTimestamp: string;
}
