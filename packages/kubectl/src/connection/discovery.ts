/** Discovery with a disk cache, unless the server is part of this process. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RestClient, Transport } from '@coxswain/client';
import { cachedDiscovery, discoveryCacheDirectory } from '@coxswain/client/discovery/cached-discovery.ts';
import {
  discoveryClient,
  discoveryTimeoutMs,
  type DiscoveryClient,
} from '@coxswain/client/discovery/discovery-client.ts';
import { diskCached } from '@coxswain/client/https/disk-cache.ts';
import type { CommandContext } from '../context.ts';

export function discoveryOf(context: CommandContext, rest: RestClient): DiscoveryClient {
  const live = discoveryClient(rest, { timeoutMs: context.requestTimeoutMs || discoveryTimeoutMs });
  const { transport, clock, random } = context.io;
  if (transport !== undefined) return live;
  const directory = discoveryCacheDirectory(cacheDirectoryOf(context), rest.transport.address);
  return cachedDiscovery(live, { directory, clock, random });
}

/** Discovery requests use ETags, or are skipped while the cache is fresh; see {@link diskCached}. */
export function selfDescriptionCached(context: CommandContext, transport: Transport): Transport {
  const { clock, random } = context.io;
  const directory = join(cacheDirectoryOf(context), 'http');
  return diskCached(transport, { directory, clock, random, isKept: isSelfDescription });
}

const isSelfDescription = (path: string): boolean => /^\/(openapi\/|apis?(\?|$))/.test(path);

function cacheDirectoryOf({ globals, io }: CommandContext): string {
  return globals.cacheDir || io.env['KUBECACHEDIR'] || join(io.env['HOME'] ?? homedir(), '.kube', 'cache');
}
