/** Determines the target of a probe or hook. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';

export interface HttpTarget {
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

export type HttpAction = NonNullable<Probe['httpGet']>;

/** @throws Error for a port name that the container doesn't declare */
export const httpTarget = (
  action: HttpAction,
  { container, host }: { readonly container: Container; readonly host: string },
): HttpTarget => ({
  scheme: (action.scheme ?? 'HTTP') as 'HTTP' | 'HTTPS',
  host: action.host || host,
  port: portOf(action.port, container),
  path: action.path ?? '/',
  headers: (action.httpHeaders ?? []).map(({ name = '', value = '' }) => ({ name, value })),
});

/** @throws Error for a port name that the container doesn't declare */
export function portOf(port: number | string, { ports = [] }: Container): number {
  if (typeof port === 'number') return port;
  const named = ports.find(({ name }) => name === port)?.containerPort;
  const number = named ?? Number(port);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  throw new Error(`couldn't find port: ${port}`);
}

export const urlOf = ({ scheme, host, port, path }: HttpTarget): string =>
  `${scheme.toLowerCase()}://${hostAndPort(host, port)}${path.startsWith('/') ? '' : '/'}${path}`;

export const hostAndPort = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
