/** Manages our routes in this machine's kernel with `ip`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Route, RouteChanges } from './host-routes.ts';

const run = promisify(execFile);

/** Distinguishes our routes from others (`ip route show proto 110`); no routing daemon uses this number. */
const protocol = '110';

interface ShownRoute {
  readonly dst: string;
  readonly gateway?: string;
}

/** @throws Error if `ip` is missing or fails */
export async function ownRoutes(): Promise<readonly Route[]> {
  const found = await Promise.all(families.map((family) => shown(family)));
  return found
    .flat()
    .flatMap(({ dst, gateway }) => (gateway === undefined ? [] : [{ destination: dst, gateway }]));
}

const families = ['-4', '-6'] as const;

async function shown(family: (typeof families)[number]): Promise<readonly ShownRoute[]> {
  const { stdout } = await run('ip', ['-json', family, 'route', 'show', 'proto', protocol]);
  return stdout.trim() === '' ? [] : (JSON.parse(stdout) as readonly ShownRoute[]);
}

/**
 * Makes all the changes that are possible. @throws AggregateError for the others, such as a gateway that is on no local
 * link
 */
export async function changeRoutes({ set, remove }: RouteChanges): Promise<void> {
  const failures: unknown[] = [];
  const attempt = (...args: readonly string[]) =>
    run('ip', ['route', ...args]).catch((error: unknown) => failures.push(error));
  for (const { destination } of remove) await attempt('del', destination, 'proto', protocol);
  for (const { destination, gateway } of set)
    await attempt('replace', destination, 'via', gateway, 'proto', protocol);
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map((error) => messageOf(error).trim()).join('; '));
}
