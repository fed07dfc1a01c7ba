/** Marks unused token Secrets as invalid, and deletes those that remain so. */
import { epochMsOf, isStatusError } from '@coxswain/apimachinery';
import type { Lister } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Pod } from '../objects.ts';
import {
  accountNameOf,
  isTokenOf,
  isTokenSecret,
  refersTo,
  type Secret,
  type ServiceAccount,
} from './token-secret.ts';

const periodMs = 24 * 3_600_000;
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';
/** Records since when the API server has tracked the use of such tokens. */
const trackingName = 'kube-apiserver-legacy-service-account-token-tracking';

export const legacyTokenCleaner: Controller = {
  name: 'legacy-serviceaccount-token-cleaner-controller',
  aliases: ['legacy-service-account-token-cleaner'],
  serviceAccount: 'legacy-service-account-token-cleaner',
  start(context) {
    const { clock, signal, informers } = context;
    const secrets = informers.informer<Secret>(resources.secrets);
    const accounts = informers.informer<ServiceAccount>(resources.serviceAccounts);
    const pods = informers.informer<Pod>(resources.pods);
    const cleaning = new TokenCleaning(context, secrets.lister, accounts.lister, pods.lister);
    context.run(
      (async () => {
        await Promise.all([secrets.synced, accounts.synced, pods.synced]);
        while (!signal.aborted) {
          await cleaning.clean().catch((failure: unknown) => context.onError(failure));
          await clock.sleep(periodMs, signal).catch(() => undefined);
        }
      })(),
    );
  },
};

class TokenCleaning {
  readonly #context: ControllerContext;
  readonly #secrets: Lister<Secret>;
  readonly #accounts: Lister<ServiceAccount>;
  readonly #pods: Lister<Pod>;

  constructor(
    context: ControllerContext,
    secrets: Lister<Secret>,
    accounts: Lister<ServiceAccount>,
    pods: Lister<Pod>,
  ) {
    this.#context = context;
    this.#secrets = secrets;
    this.#accounts = accounts;
    this.#pods = pods;
  }

  async clean(): Promise<void> {
    const { clock, settings } = this.#context;
    const sinceMs = await this.#trackedSinceMs();
    const nowMs = clock.now();
    const oldestMs = nowMs - settings.legacyTokenIdleMsMax;
    if (sinceMs === undefined || sinceMs > oldestMs) return;
    const mounted = this.#mountedSecrets();
    for (const secret of this.#secrets.list()) {
      if (!this.#isIdle(secret, oldestMs, mounted)) continue;
      await this.#judge(secret, nowMs, oldestMs).catch((failure: unknown) =>
        this.#context.onError(failure, `${secret.metadata.namespace}/${secret.metadata.name}`),
      );
    }
  }

  /** The end of that day; undefined if the API server doesn't track it. */
  async #trackedSinceMs(): Promise<number | undefined> {
    const maps = this.#context.client.resource(resources.configMaps).namespace('kube-system');
    const map = (await maps.get(trackingName)) as { data?: { since?: string } };
    const sinceMs = Date.parse(map.data?.since ?? '');
    return Number.isNaN(sinceMs) ? undefined : sinceMs + periodMs;
  }

  #isIdle(secret: Secret, oldestMs: number, mounted: ReadonlySet<string>): boolean {
    const { creationTimestamp, deletionTimestamp, labels = {}, name, namespace = '' } = secret.metadata;
    if (!isTokenSecret(secret) || deletionTimestamp !== undefined) return false;
    if (creationTimestamp !== undefined && epochMsOf(creationTimestamp) >= oldestMs) return false;
    const lastUsed = labels[lastUsedLabel];
    if (lastUsed !== undefined && (!isDate(lastUsed) || lastUsed >= dateOf(oldestMs))) return false;
    const account = this.#accounts.get(accountNameOf(secret), namespace);
    // Only auto-generated tokens are listed by their account.
    if (account === undefined || !isTokenOf(secret, account) || !refersTo(account, name)) return false;
    return !mounted.has(`${namespace}/${name}`);
  }

  async #judge(secret: Secret, nowMs: number, oldestMs: number): Promise<void> {
    const { name = '', namespace = '', uid, resourceVersion = '', labels = {} } = secret.metadata;
    const secrets = this.#context.client.resource<Secret>(resources.secrets).namespace(namespace);
    const invalidSince = labels[invalidSinceLabel] ?? '';
    if (!isDate(invalidSince)) {
      const metadata = { uid, labels: { [invalidSinceLabel]: dateOf(nowMs) } };
      await secrets.patch(name, { metadata }, { type: 'merge' });
    } else if (invalidSince < dateOf(oldestMs)) {
      await secrets.delete(name, { preconditions: { resourceVersion } }).catch((failure: unknown) => {
        if (!isStatusError(failure, 'NotFound') && !isStatusError(failure, 'Conflict')) throw failure;
      });
    }
  }

  #mountedSecrets(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { metadata, spec } of this.#pods.list()) {
      for (const name of secretNamesIn(spec)) names.add(`${metadata.namespace}/${name}`);
    }
    return names;
  }
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** Finds Secret names anywhere in a pod. */
function secretNamesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'secretName' && typeof member === 'string') return [member];
    if (secretReferences.has(key)) {
      const references = Array.isArray(member) ? member : [member];
      return references.flatMap((one: { name?: string } | null) => one?.name ?? []);
    }
    return secretNamesIn(member);
  });
}

const secretReferences: ReadonlySet<string> = new Set([
  'secretRef',
  'secretKeyRef',
  'secret',
  'imagePullSecrets',
  'nodePublishSecretRef',
]);
