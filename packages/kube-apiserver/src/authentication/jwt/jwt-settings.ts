/** What JWT authenticators are made of. */
import type { StatedJwtAuthenticator } from './stated-configuration.ts';

export interface HttpAnswer {
  readonly status: number;
  /** `404 Not Found` */
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** GET over HTTPS. @throws Error when no answer came in time, for one that is too long, and for another scheme */
export type HttpsGet = (url: string, headers?: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

/**
 * @param authorities PEM; empty: those of the system
 * @param egress the name of the way to the issuer; empty: straight ahead
 */
export type HttpsClient = (authorities: string, egress: string) => HttpsGet;

export interface JwtSettings {
  readonly authenticators: readonly StatedJwtAuthenticator[];
  readonly signingAlgorithms: readonly string[];
  readonly client: HttpsClient;
  /** The file's text, for the metric that tells which one holds; absent without a file. */
  readonly configuration?: string;
  /** Calls back with what the file says when it says something else; the callback's promise tells whether it holds. */
  readonly follow?: (exchange: ExchangeAuthenticators) => () => void;
}

export interface NewAuthenticators {
  readonly authenticators: readonly StatedJwtAuthenticator[];
  readonly configuration: string;
}

/**
 * Rejects where the new ones don't get ready in time: the old ones stay. Undefined: the file can't be used.
 */
export type ExchangeAuthenticators = (next: NewAuthenticators | undefined) => Promise<void>;
