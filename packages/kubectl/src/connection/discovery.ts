/** What the server serves, from files where they are young, and where the server is no part of this process. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RestClient } from '@coxswain/client';
import { cachedDiscovery, discoveryCacheDirectory } from '@coxswain/client/discovery/cached-discovery.ts';
import {
  discoveryClient,
  discoveryTimeoutMs,
  type DiscoveryClient,
} from '@coxswain/client/discovery/discovery-client.ts';
import type { CommandContext } from '../context.ts';

export function discoveryOf(context: CommandContext, rest: RestClient): DiscoveryClient {
  const live = discoveryClient(rest, { timeoutMs: context.requestTimeoutMs || discoveryTimeoutMs });
  const { transport, clock, random } = context.io;
  if (transport !== undefined) return live;
  const directory = discoveryCacheDirectory(cacheDirectoryOf(context), rest.transport.address);
  return cachedDiscovery(live, { directory, clock, random });
}

function cacheDirectoryOf({ globals, io }: CommandContext): string {
  return globals.cacheDir || io.env['KUBECACHEDIR'] || join(io.env['HOME'] ?? homedir(), '.kube', 'cache');
}
