/** How a component serves and authenticates its clients, as its flags configure it. */
import type { RequestHeaderNames } from '../authentication/request-header.ts';

export interface ServingSettings {
  readonly bindAddress: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly sharesPort: boolean;
  readonly servesHttp2: boolean;
  /** 0 for the default. */
  readonly concurrentStreams: number;
  /** If empty, a certificate that isn't configured is generated and kept in memory. */
  readonly certDir: string;
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly tlsMinVersion: string;
  readonly tlsCipherSuites: readonly string[];
  readonly tlsCurves: readonly number[];
  /** If empty, the one that the API server publishes. */
  readonly clientCaFile: string;
  readonly requestHeaderCaFile: string;
  readonly requestHeaderAllowedNames: readonly string[];
  readonly requestHeaders: RequestHeaderNames;
  /** Whether to skip looking up the API server's authorities. */
  readonly skipsLookup: boolean;
  /** Whether to start even if that lookup fails. */
  readonly toleratesLookupFailure: boolean;
  readonly tokenTtlMs: number;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly alwaysAllowPaths: readonly string[];
}
