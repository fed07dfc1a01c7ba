import { systemClock, type Clock } from '@coxswain/apimachinery';
import type { Methods } from '@coxswain/grpc/server/method.ts';
import { UnreadResponses } from '@coxswain/grpc/server/unread-responses.ts';
import type { Engine } from '@coxswain/storage';
import { AuthStore, type AuthBackend } from './auth/auth-store.ts';
import { guarded } from './auth/auth-guard.ts';
import { authService } from './auth/auth-service.ts';
import { clusterService } from './cluster-service.ts';
import { electionService } from './concurrency/election-service.ts';
import { lockService } from './concurrency/lock-service.ts';
import { asEtcdFailure } from './failures.ts';
import { healthService } from './health-service.ts';
import { httpRoutes, observationRoutes } from './http-routes.ts';
import { kvService } from './kv/service.ts';
import { leaseService } from './lease-service.ts';
import { listen, type Endpoint, type Listener, type TlsOptions } from './listen.ts';
import { maintenanceService } from './maintenance/service.ts';
import { memberOf, type Member } from './member.ts';
import { Metrics } from './metrics.ts';
import { watchService } from './watch-service.ts';

export interface EtcdServerOptions {
  readonly engine: Engine;
  /** The addresses to listen on; defaults to a free port of 127.0.0.1. */
  readonly addresses?: readonly Address[];
  readonly member?: Member;
  readonly clock?: Clock;
  /** The quota of the engine, for reporting; the engine enforces it. */
  readonly quotaBytes?: number;
  /** The maximum of operations in a transaction; etcd's default is 128. */
  readonly operationsMax?: number;
  /** The maximum size of a request; etcd's default is 1.5 MiB. */
  readonly requestBytesMax?: number;
  /** The maximum of concurrent calls per connection. */
  readonly streamsMax?: number;
  /** The memory for responses that clients have not read yet, for all clients together. */
  readonly unreadBytesMax?: number;
  readonly progressNotifyMs?: number;
  /** Persists users and roles; if unset, they are lost when the server stops. */
  readonly authKeeper?: AuthBackend | undefined;
  /** The lifetime of a token after its last use. */
  readonly tokenMs?: number;
  /** The directory of large temporary files; defaults to the system's. */
  readonly scratchDirectory?: string;
}

export interface Address {
  readonly endpoint: Endpoint;
  readonly tls?: TlsOptions;
  /** Serves only health and metrics, no API. */
  readonly isForMetrics?: boolean;
}

/** etcd's defaults. */
export const quotaBytesDefault = 2 * 1024 ** 3;
const operationsMaxDefault = 128;
const requestBytesMaxDefault = 1.5 * 1024 * 1024;
/** The maximum overhead of gRPC for a request, as in etcd. */
const overheadBytes = 512 * 1024;
const unreadBytesMaxDefault = 512 * 1024 * 1024;
const progressNotifyMsDefault = 10 * 60 * 1000;

/** Serves etcd's API v3 for an engine at each of the addresses. Closing the listeners leaves the engine open. */
export async function serveEtcd(options: EtcdServerOptions): Promise<Listener> {
  const { engine, addresses = [{ endpoint: { host: '127.0.0.1', port: 0 } }] } = options;
  const settings = settingsOf(options);
  const metrics = new Metrics(settings);
  const methods = metrics.counting(etcdMethods(settings));
  const answering = {
    messageBytesMax: (options.requestBytesMax ?? requestBytesMaxDefault) + overheadBytes,
    unread: new UnreadResponses(options.unreadBytesMax ?? unreadBytesMaxDefault, settings.clock),
    failureOf: asEtcdFailure,
  };
  const listeners: Listener[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close()));
  };
  try {
    for (const { isForMetrics = false, ...address } of addresses) {
      const served = isForMetrics
        ? { methods: {}, routes: observationRoutes(engine, metrics) }
        : { methods, routes: httpRoutes(engine, metrics) };
      listeners.push(await listen({ ...address, ...served, answering, streamsMax: options.streamsMax }));
    }
  } catch (failure) {
    await close();
    throw failure;
  }
  return { port: listeners[0]!.port, close };
}

const settingsOf = (options: EtcdServerOptions) => ({
  ...options,
  clock: options.clock ?? systemClock,
  quotaBytes: options.quotaBytes || quotaBytesDefault,
  operationsMax: options.operationsMax ?? operationsMaxDefault,
  progressNotifyMs: options.progressNotifyMs ?? progressNotifyMsDefault,
  member: options.member ?? memberOf({ name: 'default', token: '', peerUrls: [], clientUrls: [] }),
});

function etcdMethods(settings: ReturnType<typeof settingsOf>): Methods {
  const { engine, member, clock } = settings;
  const auth = new AuthStore(clock, settings.authKeeper, settings.tokenMs);
  const guardedMethods = guarded(
    {
      ...kvService(settings),
      ...watchService({ ...settings, auth }),
      ...leaseService(engine, member, clock),
      ...maintenanceService({ ...settings, auth: () => auth.state }),
      ...clusterService(engine, member),
      ...lockService(engine, member),
      ...electionService(engine, member),
    },
    engine,
    auth,
  );
  return { ...guardedMethods, ...authService(engine, member, auth), ...healthService };
}
