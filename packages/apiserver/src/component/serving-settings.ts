/** How a component serves, and whom it believes: what its flags say. */
import type { RequestHeaderNames } from '../authentication/request-header.ts';

export interface ServingSettings {
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly port: number;
  readonly sharesPort: boolean;
  readonly servesHttp2: boolean;
  /** 0: the default. */
  readonly concurrentStreams: number;
  /** Empty: a certificate that isn't named is made and kept in memory. */
  readonly certDir: string;
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly tlsMinVersion: string;
  readonly tlsCipherSuites: readonly string[];
  readonly tlsCurves: readonly number[];
  /** Empty: the one that the API server publishes. */
  readonly clientCaFile: string;
  readonly requestHeaderCaFile: string;
  readonly requestHeaderAllowedNames: readonly string[];
  readonly requestHeaders: RequestHeaderNames;
  /** Whether the API server isn't asked which authorities it believes. */
  readonly skipsLookup: boolean;
  /** Whether the program runs where the API server doesn't say. */
  readonly toleratesLookupFailure: boolean;
  readonly tokenTtlMs: number;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly alwaysAllowPaths: readonly string[];
}
