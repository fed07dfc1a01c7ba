/** The keys of an issuer, available once discovery succeeds; it is retried until then. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { HttpsGet } from './jwt-settings.ts';
import { discoverKeysUrl } from './provider.ts';
import { RemoteKeys } from './remote-keys.ts';

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** Empty for the issuer itself. */
  readonly discoveryUrl: string;
  readonly get: HttpsGet;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly fetched: (keySet: string | undefined) => void;
}

const attemptEveryMs = 10_000;

export class IssuerKeys {
  /** Undefined until discovery has succeeded. */
  current: RemoteKeys | undefined;
  /** The reason that there are no keys. */
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
