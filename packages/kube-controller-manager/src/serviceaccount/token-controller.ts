/**
 * Fills service account token Secrets, and deletes those whose account is gone. It acts as the manager itself, since
 * other controllers may need such tokens for their own accounts.
 */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { Controller, ControllerContext } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import {
  accountNameKey,
  accountNameOf,
  accountUidKey,
  accountUidOf,
  isTokenOf,
  isTokenSecret,
  refersTo,
  type Secret,
  type ServiceAccount,
} from './token-secret.ts';

const retriesMax = 10;
const conflictsMax = 6;

export const serviceAccountTokenController: Controller = {
  name: 'serviceaccount-token-controller',
  aliases: ['serviceaccount-token'],
  serviceAccount: '',
  start(context) {
    const { serviceAccountKey } = context.settings;
    if (serviceAccountKey === undefined) return;
    const secrets = context.informers.informer<Secret>(resources.secrets, {
      tokensOfAccount: (secret) =>
        isTokenSecret(secret) ? [`${secret.metadata.namespace}/${accountNameOf(secret)}`] : [],
    });
    const accounts = context.informers.informer<ServiceAccount>(resources.serviceAccounts);
    const tokens = new AccountTokens(context, serviceAccountKey);
    const reconciler = startReconciler(context, {
      queueName: 'serviceaccount_tokens_service',
      retriesMax,
      ready: () => Promise.all([secrets.synced, accounts.synced]),
      reconcile: async function syncServiceAccountTokens(key) {
        const secret = secrets.lister.get(nameIn(key), namespaceIn(key));
        if (secret === undefined || !isTokenSecret(secret)) return;
        const known = accounts.lister.get(accountNameOf(secret), secret.metadata.namespace);
        const account =
          known !== undefined && isOwner(known, secret) ? known : await tokens.accountOf(secret);
        await (account === undefined ? tokens.remove(secret) : tokens.fill(secret, account));
      },
    });
    const wake = (secret: Secret) => {
      if (isTokenSecret(secret)) reconciler.addObject(secret);
    };
    secrets.addHandler({
      ...onWrite(wake),
      deleted(secret) {
        if (isTokenSecret(secret)) context.run(tokens.dropReference(secret));
      },
    });
    accounts.addHandler({
      deleted(account) {
        const { namespace, name } = account.metadata;
        for (const secret of secrets.lister.byIndex('tokensOfAccount', `${namespace}/${name}`)) {
          if (isTokenOf(secret, account)) reconciler.addObject(secret);
        }
      },
    });
  },
};

const namespaceIn = (key: string): string => key.slice(0, key.indexOf('/'));
const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1);

const isOwner = ({ metadata }: KubeObject, secret: Secret): boolean =>
  accountUidOf(secret) === '' || accountUidOf(secret) === metadata.uid;

class AccountTokens {
  readonly #context: ControllerContext;
  readonly #privateKey: () => string;

  constructor(context: ControllerContext, privateKey: () => string) {
    this.#context = context;
    this.#privateKey = privateKey;
  }

  get #client() {
    return this.#context.client;
  }

  #secrets(namespace: string | undefined) {
    return this.#client.resource<Secret>(resources.secrets).namespace(namespace ?? '');
  }

  #accounts(namespace: string | undefined) {
    return this.#client.resource<ServiceAccount>(resources.serviceAccounts).namespace(namespace ?? '');
  }

  /** Reads from the server, since the cache may be behind. */
  async accountOf(secret: Secret): Promise<ServiceAccount | undefined> {
    const found = await orUndefined(this.#accounts(secret.metadata.namespace).get(accountNameOf(secret)));
    return found !== undefined && isOwner(found, secret) ? found : undefined;
  }

  async remove({ metadata }: Secret): Promise<void> {
    const { name = '', namespace, uid = '' } = metadata;
    await ignoreRaces(this.#secrets(namespace).delete(name, { preconditions: { uid } }));
  }

  async fill(cached: Secret, account: ServiceAccount): Promise<void> {
    if (this.#missing(cached) === undefined) return;
    const secrets = this.#secrets(cached.metadata.namespace);
    const live = await orUndefined(secrets.get(cached.metadata.name ?? ''));
    // If the server's version is newer, its event is about to arrive.
    if (live === undefined || live.metadata.resourceVersion !== cached.metadata.resourceVersion) return;
    const missing = this.#missing(live);
    if (missing === undefined) return;
    const { name = '', namespace = '' } = live.metadata;
    const { name: accountName = '', uid: accountUid = '' } = account.metadata;
    const token = async () => {
      const { legacyToken } = await import('./legacy-token.ts');
      return legacyToken(this.#privateKey(), { namespace, account: accountName, accountUid, secret: name });
    };
    const data = {
      ...live.data,
      ...missing.data,
      ...(missing.token ? { token: btoa(await inWallTime(token)) } : {}),
    };
    const annotations = {
      ...live.metadata.annotations,
      [accountNameKey]: accountName,
      [accountUidKey]: accountUid,
    };
    await ignoreRaces(secrets.update({ ...live, metadata: { ...live.metadata, annotations }, data }));
  }

  /** Returns the data that the Secret lacks, if any. */
  #missing({ data = {}, metadata }: Secret) {
    const authority = this.#context.settings.rootCertificateAuthority ?? '';
    const needsAuthority = authority !== '' && data['ca.crt'] !== btoa(authority);
    const needsNamespace = !data['namespace'];
    const needsToken = !data['token'];
    if (!needsAuthority && !needsNamespace && !needsToken) return undefined;
    return {
      token: needsToken,
      data: {
        ...(needsAuthority ? { 'ca.crt': btoa(authority) } : {}),
        ...(needsNamespace ? { namespace: btoa(metadata.namespace ?? '') } : {}),
      },
    };
  }

  /** Removes a deleted Secret from the account's list. */
  async dropReference(secret: Secret): Promise<void> {
    const accounts = this.#accounts(secret.metadata.namespace);
    for (let attempt = 0; attempt < conflictsMax; attempt++) {
      const account = await orUndefined(accounts.get(accountNameOf(secret)));
      const { name } = secret.metadata;
      if (account === undefined || !isOwner(account, secret) || !refersTo(account, name)) return;
      const left = account.secrets!.filter((one) => one.name !== name);
      try {
        await accounts.update({ ...account, secrets: left });
        return;
      } catch (failure) {
        if (!isStatusError(failure, 'Conflict')) throw failure;
      }
    }
  }
}

async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (failure) {
    if (isStatusError(failure, 'NotFound')) return undefined;
    throw failure;
  }
}

/** After a concurrent write, another event follows. */
async function ignoreRaces(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (failure) {
    if (!isStatusError(failure, 'NotFound') && !isStatusError(failure, 'Conflict')) throw failure;
  }
}
