/** The credentials of this server for the admission webhooks that it calls. */
import type { WebhookEndpoint, WebhookCredentials } from './webhook-endpoint.ts';

/**
 * Undefined for none.
 * @throws Error for unusable credentials
 */
export type CredentialsOf = (endpoint: WebhookEndpoint) => WebhookCredentials | undefined;

/**
 * Reads the kubeconfig file of a plugin's configuration.
 * @throws Error with upstream's message when it is unusable
 */
export type WebhookCredentialsReader = (kubeconfigFile: string) => CredentialsOf;

/** For servers that read no files. */
export const noWebhookCredentials: WebhookCredentialsReader = () => {
  throw new Error('credentials for webhooks require access to files, which this server does not have');
};

/**
 * The names of kubeconfig users that apply to `host:port`, most specific first; `undefined` is the current context's.
 */
export function* userNamesFor(host: string, port: number): Generator<string | undefined> {
  const target = joinHostPort(host, port);
  yield* [target, ...starred(target)];
  // Without a port, HTTPS's default is meant.
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
