/** What proves this server to the admission webhooks that it calls. */
import type { WebhookEndpoint, WebhookCredentials } from './webhook-endpoint.ts';

/**
 * Undefined for nobody.
 * @throws Error for credentials that can't be used
 */
export type CredentialsOf = (endpoint: WebhookEndpoint) => WebhookCredentials | undefined;

/**
 * Of the kubeconfig file that a plugin is told.
 * @throws Error in the original's words when it is unusable
 */
export type WebhookCredentialsReader = (kubeconfigFile: string) => CredentialsOf;

/** Where no files are read. */
export const noWebhookCredentials: WebhookCredentialsReader = () => {
  throw new Error('credentials for webhooks require access to files, which this server does not have');
};

/** Names of users of a kubeconfig that count for `host:port`, first the one that counts most; `undefined` is the current context's. */
export function* userNamesFor(host: string, port: number): Generator<string | undefined> {
  const target = joinHostPort(host, port);
  yield* [target, ...starred(target)];
  // Who leaves out the port means that of HTTPS.
  if (port === httpsPort) yield* [host, ...starred(host)];
  yield '*';
  yield undefined;
}

const httpsPort = 443;

const joinHostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** `a.b.c` → `*.b.c`, `*.c` */
function starred(target: string): string[] {
  const steps = target.split('.');
  return steps.slice(1).map((_, at) => `*.${steps.slice(at + 1).join('.')}`);
}
