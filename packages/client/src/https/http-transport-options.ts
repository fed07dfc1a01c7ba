import type { Socket } from 'node:net';
import type { Credentials } from '../kubeconfig/credentials.ts';

/** Where a server is, and how to reach it. */
export interface HttpTransportOptions {
  /** `https://127.0.0.1:6443`, optionally with a path prefix. */
  readonly server: string;
  readonly credentials?: Credentials;
  /** CA certificates in PEM. Defaults to those of the system. A function is called for each new connection, as files change. */
  readonly certificateAuthority?: string | (() => string | undefined);
  readonly insecure?: boolean;
  /** The name in the server's certificate, if it differs from its address. */
  readonly serverName?: string;
  /** Defaults to the proxy of the environment: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  readonly proxyUrl?: string;
  /** How connections are opened, if not directly over the network; overrides the proxy. */
  readonly dial?: ((host: string, port: number) => Promise<Socket>) | undefined;
  /** Defaults to HTTP/2 if the server supports it. HTTP/1.1 starts faster, for programs with few requests. */
  readonly protocol?: 'http/1.1';
  /** Whether to request gzip. */
  readonly compress?: boolean;
}
