/** Discovery cached in files, in upstream's locations and format, so that both programs can use each other's files. */

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Discovered } from './discovered.ts';
import type { DiscoveryClient } from './discovery-client.ts';
import {
  groupListOf,
  resourceListOf,
  resourcesOf,
  type ApiGroupList,
  type ApiResourceList,
} from './resource-lists.ts';

/** Where discovery is cached. It is refreshed after six hours. */
export interface DiscoveryCacheOptions {
  /** The directory of one server: see {@link discoveryCacheDirectory}. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Older files are refreshed. */
const cacheTtlMs = 6 * 60 * 60 * 1000;

/**
 * The directory of a server below the cache directory.
 * @example
 * discoveryCacheDirectory('/home/alice/.kube/cache', 'https://127.0.0.1:6443'); // …/discovery/127.0.0.1_6443
 */
export const discoveryCacheDirectory = (cacheDirectory: string, address: string): string =>
  path.join(cacheDirectory, 'discovery', address.replace(/^https?:\/\//, '').replace(/[^\w/.()]/g, '_'));

/**
 * Uses files while they are fresh; {@link DiscoveryClient.invalidate} makes it query the server again.
 * @example
 * const directory = discoveryCacheDirectory(path.join(homedir(), '.kube/cache'), client.rest.transport.address);
 * const discovery = cachedDiscovery(client.discovery, { directory, clock, random });
 * const mapper = restMapper(await discovery.discover());
 */
export function cachedDiscovery(live: DiscoveryClient, options: DiscoveryCacheOptions): DiscoveryClient {
  let known: Promise<Discovered> | undefined;
  let isFresh = false;
  const ask = async () => {
    const stored = isFresh ? undefined : readStored(options);
    if (stored !== undefined) return stored;
    isFresh = true;
    const discovered = await live.discover();
    store(discovered, options);
    return discovered;
  };
  return {
    discover() {
      if (known === undefined) {
        const asking = ask();
        known = asking;
        asking.catch(() => known === asking && (known = undefined));
      }
      return known;
    },
    invalidate() {
      isFresh = true;
      known = undefined;
      live.invalidate();
    },
    get isFresh() {
      return isFresh;
    },
  };
}

function readStored(options: DiscoveryCacheOptions): Discovered | undefined {
  try {
    const { groups } = readYoung<ApiGroupList>(
      path.join(options.directory, 'servergroups.json'),
      options.clock,
    );
    const resources = groups.flatMap(({ versions }) =>
      versions.flatMap(({ groupVersion }) => {
        const file = resourcesFile(options.directory, groupVersion);
        return resourcesOf(groupVersion, readYoung<ApiResourceList>(file, options.clock).resources);
      }),
    );
    return resources.length === 0 ? undefined : { resources, failures: [] };
  } catch {
    // Missing, outdated or invalid, so the server is queried.
    return undefined;
  }
}

const resourcesFile = (directory: string, groupVersion: string): string =>
  path.join(directory, groupVersion, 'serverresources.json');

function readYoung<T>(file: string, clock: Clock): T {
  if (clock.now() > statSync(file).mtimeMs + cacheTtlMs) throw new Error('cache expired');
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Failed groups are not cached. Files that can't be written are ignored. */
function store({ resources, failures }: Discovered, options: DiscoveryCacheOptions): void {
  if (failures.length > 0 || resources.length === 0) return;
  try {
    const groups = groupListOf(resources);
    const byVersion = Map.groupBy(resources, ({ group, version }) =>
      group === '' ? version : `${group}/${version}`,
    );
    for (const [groupVersion, members] of byVersion) {
      const file = resourcesFile(options.directory, groupVersion);
      writeWhole(file, JSON.stringify(resourceListOf(groupVersion, members)), options.random);
    }
    writeWhole(path.join(options.directory, 'servergroups.json'), JSON.stringify(groups), options.random);
  } catch {
    // The directory belongs to another user, or the disk is full: the next command queries the server again.
  }
}

/** Writes to a temporary file first, so that readers never see a partial one. */
function writeWhole(file: string, text: string, random: Random): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o750 });
  const draft = `${file}.${Math.floor(random.next() * 2 ** 32)}`;
  try {
    writeFileSync(draft, `${text}\n`, { mode: 0o660 });
    renameSync(draft, file);
  } catch (failure) {
    rmSync(draft, { force: true });
    throw failure;
  }
}
