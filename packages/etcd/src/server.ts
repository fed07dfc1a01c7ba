import { systemClock } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import type { Engine } from '@coxswain/storage';
import { clusterService } from './cluster-service.ts';
import { asEtcdFailure } from './failures.ts';
import type { Method, Methods } from './grpc/method.ts';
import { httpRoutes } from './http-routes.ts';
import { kvService } from './kv/service.ts';
import { leaseService } from './lease-service.ts';
import { listen } from './listen.ts';
import type { Listener, TlsOptions } from './listen.ts';
import { memberOf } from './member.ts';
import type { Member } from './member.ts';
import { Quota, quotaBytesDefault } from './quota.ts';
import { watchService } from './watch-service.ts';

export interface EtcdServerOptions {
  readonly engine: Engine;
  /** Where to listen; a free port of 127.0.0.1 when absent. */
  readonly addresses?: readonly Address[];
  readonly member?: Member;
  readonly clock?: Clock;
  readonly quotaBytes?: number;
  /** Operations in one transaction; etcd's default is 128. */
  readonly operationsMax?: number;
  /** Of a request; etcd's default is 1.5 MiB. */
  readonly requestBytesMax?: number;
  readonly progressNotifyMs?: number;
}

export interface Address {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly tls?: TlsOptions;
}

const operationsMaxDefault = 128;
const requestBytesMaxDefault = 1.5 * 1024 * 1024;
/** What gRPC adds to a request at most; as in etcd. */
const overheadBytes = 512 * 1024;
const progressNotifyMsDefault = 10 * 60 * 1000;

/** Serves etcd's API v3 over an engine, at each address. Closing the listeners leaves the engine open. */
export async function serveEtcd(options: EtcdServerOptions): Promise<Listener> {
  const { engine, clock = systemClock, addresses = [{ host: '127.0.0.1', port: 0 }] } = options;
  const quota = new Quota(engine, clock, options.quotaBytes || quotaBytesDefault);
  const methods = etcdMethods(options, clock, quota);
  const routes = httpRoutes(engine, quota);
  const bounds = { messageBytesMax: (options.requestBytesMax ?? requestBytesMaxDefault) + overheadBytes };
  const listeners: Listener[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close()));
  };
  try {
    for (const address of addresses) listeners.push(await listen({ ...address, methods, routes, bounds }));
  } catch (failure) {
    await close();
    throw failure;
  }
  return { port: listeners[0]!.port, close };
}

function etcdMethods(options: EtcdServerOptions, clock: Clock, quota: Quota): Methods {
  const {
    engine,
    operationsMax = operationsMaxDefault,
    progressNotifyMs = progressNotifyMsDefault,
  } = options;
  const member = options.member ?? memberOf({ name: 'default', token: '', peerUrls: [], clientUrls: [] });
  return withEtcdFailures({
    ...kvService({ engine, member, quota, operationsMax }),
    ...watchService({ engine, member, clock, progressNotifyMs }),
    ...leaseService(engine, member, clock),
    ...clusterService(engine, member, quota),
  });
}

/** In one place for all methods: what the engine throws becomes etcd's error. */
function withEtcdFailures(methods: Methods): Methods {
  return Object.fromEntries(Object.entries(methods).map(([path, method]) => [path, translated(method)]));
}

function translated(method: Method): Method {
  const { unary } = method;
  if (unary === undefined) return method;
  return {
    ...method,
    unary: async (request, caller) => {
      try {
        return await unary(request, caller);
      } catch (failure) {
        throw asEtcdFailure(failure);
      }
    },
  };
}
