/**
 * Maintains the ConfigMap `extension-apiserver-authentication`, which tells extension servers the authorities that this
 * cluster trusts: checked every minute, and at once when it was deleted or this server's authorities changed.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type * as core from '@coxswain/api/core/v1/index.ts';
import { semanticDeepEqual, type Clock, type Timer, type Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { SystemObjects } from '../peers/system-objects.ts';
import { combinedTrust, type PublishedTrust } from './combined-trust.ts';

export interface ClusterAuthenticationTrustParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** As the server's own user. */
  readonly transport: () => Transport;
  readonly configMaps: GenericStore;
  /** The data that this server publishes at startup. */
  readonly wanted: PublishedTrust;
}

const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';
const directory = `/api/v1/namespaces/${namespace}/configmaps`;
const periodMs = 60_000;

/** The delay after a failure, doubled with each further one. */
const retryMsMin = 5;
const retryMsMax = 1000_000;

type ConfigMap = Live<core.ConfigMap>;

export class ClusterAuthenticationTrustController {
  readonly #parts: ClusterAuthenticationTrustParts;
  #wanted: PublishedTrust;
  #turn: Timer | undefined;
  #retry: Timer | undefined;
  #retryMs = retryMsMin;
  #stopFollowing: (() => void) | undefined;
  #isStopped = false;
  /** The last reconciliation; they run one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ClusterAuthenticationTrustParts) {
    this.#parts = parts;
    this.#wanted = parts.wanted;
  }

  /** Resolves after the first reconciliation, successful or not. */
  async start(): Promise<void> {
    detach(this.#follow());
    await this.#everyMinute();
  }

  /** Publishes different authorities from now on. */
  publish(wanted: PublishedTrust): Promise<void> {
    this.#wanted = wanted;
    return this.keep();
  }

  stop(): void {
    this.#isStopped = true;
    this.#turn?.cancel();
    this.#retry?.cancel();
    this.#stopFollowing?.();
  }

  keep(): Promise<void> {
    this.#last = this.#last.then(() => this.#keepOnce());
    return this.#last;
  }

  async #everyMinute(): Promise<void> {
    await this.keep();
    if (this.#isStopped) return;
    this.#turn = this.#parts.clock.after(periodMs, () => detach(this.#everyMinute()), { idle: true });
  }

  async #keepOnce(): Promise<void> {
    if (this.#isStopped) return;
    this.#retry?.cancel();
    try {
      await this.#write();
      this.#retryMs = retryMsMin;
    } catch (failure) {
      this.#parts.log(`${namespace}/${name} failed with : ${messageOf(failure)}`);
      this.#retry = this.#parts.clock.after(this.#retryMs, () => detach(this.keep()), { idle: true });
      this.#retryMs = Math.min(this.#retryMs * 2, retryMsMax);
    }
  }

  async #write(): Promise<void> {
    const { clock, transport } = this.#parts;
    const objects = new SystemObjects(transport());
    const found = await objects.get<ConfigMap>(`${directory}/${name}`);
    const data = combinedTrust(found?.data ?? {}, this.#wanted, clock.now());
    if (semanticDeepEqual(data, found?.data ?? {})) return;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, ...found, data };
    if (found === undefined) return objects.create(directory, object);
    await objects.replace(`${directory}/${name}`, object).catch(async (failure: Error) => {
      // An object that has grown too large is recreated; other publishers add their data again.
      if (isTooLarge(failure.message)) await objects.remove(`${directory}/${name}`);
      throw failure;
    });
  }

  /** Watches this one object only. */
  async #follow(): Promise<void> {
    const { configMaps, log } = this.#parts;
    try {
      const scope = `${configMaps.storagePrefix}/${namespace}/${name}`;
      const watcher = await configMaps.cache.watch({ scope });
      this.#stopFollowing = () => watcher.stop();
      if (this.#isStopped) watcher.stop();
      for await (const events of watcher) {
        if (events.some(({ type }) => type === 'DELETED')) detach(this.keep());
      }
    } catch (failure) {
      log(`following ${namespace}/${name}: ${messageOf(failure)}`);
    }
    if (!this.#isStopped)
      this.#parts.clock.after(retryFollowMs, () => detach(this.#follow()), { idle: true });
  }
}

const retryFollowMs = 1_000;

const isTooLarge = (message: string): boolean => / 413 |Too long/.test(message);
