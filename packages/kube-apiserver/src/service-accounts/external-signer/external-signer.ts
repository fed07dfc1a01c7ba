/**
 * `--service-account-signing-endpoint`: an external process holds the keys that sign service account tokens. This
 * server writes the claims and trusts the keys that the signer publishes.
 *
 *     TokenRequest → external-issuer.ts → signer-client.ts → socket
 *     a token's kid → external-keys.ts  ──────┘
 */
import type { Clock } from '@coxswain/apimachinery';
import { formatDurationMs } from '@coxswain/apimachinery/duration.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import { extendedExpirationSeconds, type TokenIssuer } from '../token-issuer.ts';
import type { TokenKeys } from '../token-keys.ts';
import { ExternalKeys } from './external-keys.ts';
import { externalIssuer } from './external-issuer.ts';
import { SignerClient } from './signer-client.ts';
import { SignerMetrics } from './signer-metrics.ts';

export interface ExternalSignerSettings {
  readonly socketPath: string;
  readonly issuer: string;
  /** 0: as long as the signer allows. */
  readonly expirationSecondsMax: number;
  readonly extendsExpiration: boolean;
}

export interface ExternalSigner {
  readonly keys: TokenKeys;
  readonly tokenIssuer: TokenIssuer;
  /** Includes earlier events. */
  countInto(metrics: Metrics): void;
  close(): void;
}

/** A signer with a lower maximum is refused. */
const expirationSecondsMin = 600;
const setUpFailed = 'while setting up external-jwt-signer: ';

/** @throws Error with upstream's message when the signer doesn't answer, or not correctly */
export async function openExternalSigner(
  settings: ExternalSignerSettings,
  parts: { readonly clock: Clock; readonly log: (line: string) => void },
): Promise<ExternalSigner> {
  const client = new SignerClient(settings.socketPath, parts.clock);
  const keys = new ExternalKeys(client, parts);
  const counting = new LateMetrics(parts.clock);
  client.observe = (...call) => counting.note((metrics) => metrics.observeCall(...call));
  keys.observe = (...attempt) => counting.note((metrics) => metrics.observeKeys(...attempt));
  const close = () => {
    keys.stop();
    client.close();
  };
  try {
    await keys.start();
    const signerSecondsMax = await lifetimeOf(client);
    const tokenIssuer = externalIssuer({
      client,
      keys,
      observe: (code) => counting.note((metrics) => metrics.observeSigning(code)),
      issuer: settings.issuer,
      expirationSecondsMax: allowedSeconds(settings.expirationSecondsMax, signerSecondsMax),
      extendsExpiration: settings.extendsExpiration,
      extendedSeconds: Math.min(signerSecondsMax, extendedExpirationSeconds),
    });
    return { keys, tokenIssuer, countInto: (metrics) => counting.begin(metrics), close };
  } catch (failure) {
    close();
    throw failure;
  }
}

async function lifetimeOf(client: SignerClient): Promise<number> {
  const { expirationSecondsMax } = await client.metadata().catch((failure: unknown) => {
    throw new Error(setUpFailed + grpcFailureText(failure), { cause: failure });
  });
  if (expirationSecondsMax < expirationSecondsMin) {
    throw new Error(
      `max token life supported by external-jwt-signer (${expirationSecondsMax}s) is less than acceptable (min ${expirationSecondsMin}s)`,
    );
  }
  return expirationSecondsMax;
}

function allowedSeconds(wanted: number, signerMax: number): number {
  if (wanted <= signerMax) return wanted === 0 ? signerMax : wanted;
  throw new Error(
    `service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: ${durationText(wanted)} > ${durationText(signerMax)}`,
  );
}

const durationText = (seconds: number): string => formatDurationMs(seconds * 1000);

/** The first calls precede the server's metrics. */
class LateMetrics {
  readonly #clock: Clock;
  #metrics: SignerMetrics | undefined;
  #before: ((metrics: SignerMetrics) => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(count: (metrics: SignerMetrics) => void): void {
    if (this.#metrics === undefined) this.#before.push(count);
    else count(this.#metrics);
  }

  begin(metrics: Metrics): void {
    const own = (this.#metrics = new SignerMetrics(metrics, this.#clock));
    for (const count of this.#before) count(own);
    this.#before = [];
  }
}
