/** The etcds of a server: one for most resources, others for some, each with a health check. */
import { readFileSync } from 'node:fs';
import type { Clock, GroupResource } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import type { ChannelTls } from '@coxswain/grpc/client/session.ts';
import type { Dial } from './egress/dial.ts';
import { parseOverrides, type EtcdSettings } from './etcd-settings.ts';

/** The prefix of this program's own keys. */
const innerDirectory = '/registry';
const checkTimeoutMs = 2_000;

export interface EtcdStores {
  readonly main: EtcdStorage;
  readonly all: ReadonlySet<EtcdStorage>;
  storageFor(resource: GroupResource): EtcdStorage | undefined;
  readonly aliveChecks: readonly HealthCheck[];
  readonly readyChecks: readonly HealthCheck[];
  closeOthers(): Promise<void>;
}

/** @throws Error for unreadable files and invalid overrides */
export async function openEtcd(
  settings: EtcdSettings,
  { clock, dial }: { readonly clock: Clock; readonly dial?: Dial | undefined },
): Promise<EtcdStores> {
  const overrides = parseOverrides(settings.overrides ?? []);
  const tls = tlsOf(settings.tls ?? {});
  const open = (endpoints: readonly string[]) =>
    new EtcdStorage({
      endpoints,
      clock,
      dial,
      directory: directoryOf(settings),
      ...(tls === undefined ? {} : { tls }),
    });
  const main = open(settings.servers);
  const others = new Map<string, EtcdStorage>();
  const byResource = new Map<string, EtcdStorage>();
  for (const { group, resource, servers } of overrides) {
    const name = servers.toSorted().join(';');
    const store = others.get(name) ?? open(servers);
    others.set(name, store);
    byResource.set(`${resource}.${group}`, store);
  }
  const aliveMs = settings.healthCheckTimeoutMs || checkTimeoutMs;
  const readyMs = settings.readyCheckTimeoutMs || checkTimeoutMs;
  const checks = (name: string, store: EtcdStorage, timeoutMs: number): HealthCheck => ({
    name,
    check: () => problemOf(store, timeoutMs),
  });
  const numbered = [...others.values()];
  return {
    main,
    all: new Set([main, ...numbered]),
    storageFor: ({ group, resource }) => byResource.get(`${resource}.${group}`),
    aliveChecks: [
      checks('etcd', main, aliveMs),
      ...numbered.map((store, index) => checks(`etcd-override-${index}`, store, aliveMs)),
    ],
    readyChecks: [
      checks('etcd-readiness', main, readyMs),
      ...numbered.map((store, index) => checks(`etcd-override-readiness-${index}`, store, readyMs)),
    ],
    async closeOthers() {
      await Promise.all(numbered.map((store) => store.close()));
    },
  };
}

/** Maps a key of this program to its key in etcd. */
export const storedKeyIn = (settings: EtcdSettings | undefined): ((key: string) => string) => {
  if (settings === undefined) return (key) => key;
  const { inner, outer } = directoryOf(settings);
  return (key) => outer + key.slice(inner.length);
};

const directoryOf = ({ prefix = innerDirectory }: EtcdSettings) => {
  const parts = prefix.split('/').filter((part) => part !== '');
  return { inner: innerDirectory, outer: parts.map((part) => `/${part}`).join('') };
};

async function problemOf(store: EtcdStorage, timeoutMs: number): Promise<string | undefined> {
  try {
    await store.check(timeoutMs);
    return undefined;
  } catch (failure) {
    return messageOf(failure);
  }
}

function tlsOf({ caFile, certFile, keyFile }: NonNullable<EtcdSettings['tls']>): ChannelTls | undefined {
  if (!caFile && !certFile && !keyFile) return undefined;
  return {
    ...(caFile ? { ca: readText(caFile) } : {}),
    ...(certFile ? { cert: readText(certFile) } : {}),
    ...(keyFile ? { key: readText(keyFile) } : {}),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT' ? 'no such file or directory' : code === 'EACCES' ? 'permission denied' : message;
    throw new Error(`open ${file}: ${reason}`, { cause: error });
  }
}
