/** The keys of an issuer, from the moment on that it has told where they are; it is asked until it does. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { HttpsGet } from './jwt-settings.ts';
import { discoverKeysUrl } from './provider.ts';
import { RemoteKeys } from './remote-keys.ts';

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** Empty: the issuer itself. */
  readonly discoveryUrl: string;
  readonly get: HttpsGet;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly fetched: (keySet: string | undefined) => void;
}

const attemptEveryMs = 10_000;

export class IssuerKeys {
  /** Undefined until the issuer has answered. */
  current: RemoteKeys | undefined;
  /** Why there are none. */
  problem: string;

  constructor(options: IssuerKeysOptions) {
    this.problem = `oidc: authenticator for issuer ${JSON.stringify(options.issuer)} is not initialized`;
    this.#begin(options).catch((failure: unknown) => options.log(`oidc authenticator: ${String(failure)}`));
  }

  async #begin(options: IssuerKeysOptions): Promise<void> {
    const { issuer, discoveryUrl, get, clock, signal, log, fetched } = options;
    while (!signal.aborted) {
      try {
        const url = await discoverKeysUrl(issuer, discoveryUrl, get);
        this.current = new RemoteKeys({ url, get, clock, fetched });
        return;
      } catch (failure) {
        this.problem = messageOf(failure);
        log(`oidc authenticator: initializing plugin: ${this.problem}`);
      }
      await clock.sleep(attemptEveryMs, signal).catch(() => undefined);
    }
  }
}
