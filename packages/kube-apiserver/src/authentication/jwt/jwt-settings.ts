/** The settings of JWT authenticators. */
import type { StatedJwtAuthenticator } from './stated-configuration.ts';

export interface HttpResponse {
  readonly status: number;
  /** `404 Not Found` */
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** GET over HTTPS. @throws Error when no response came in time, for one that is too long, and for another scheme */
export type HttpsGet = (url: string, headers?: Readonly<Record<string, string>>) => Promise<HttpResponse>;

/**
 * @param authorities PEM; empty for those of the system
 * @param egress the name of the egress selection for the issuer; empty for a direct connection
 */
export type HttpsClient = (authorities: string, egress: string) => HttpsGet;

export interface JwtSettings {
  readonly authenticators: readonly StatedJwtAuthenticator[];
  readonly signingAlgorithms: readonly string[];
  readonly client: HttpsClient;
  /** The file's text, for the metric that identifies the current configuration; absent without a file. */
  readonly configuration?: string;
  /** Calls back when the file's content changes; the callback's promise reports whether it took effect. */
  readonly follow?: (exchange: ExchangeAuthenticators) => () => void;
}

export interface NewAuthenticators {
  readonly authenticators: readonly StatedJwtAuthenticator[];
  readonly configuration: string;
}

/**
 * Rejects when the new authenticators don't become ready in time, and the old ones stay. Undefined: the file is
 * unusable.
 */
export type ExchangeAuthenticators = (next: NewAuthenticators | undefined) => Promise<void>;
