/** An in-memory API server for tests: the whole filter chain and generic stores, without ports or files. */
import { ManualClock, seededRandom, type Clock, type KubeObject } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import { MemoryStorage, type Storage } from '@coxswain/storage';
import { admissionChain } from '../admission/chain.ts';
import type { AdmissionPlugin } from '../admission/plugin.ts';
import type { ApiGroup, ApiResource } from '../api-group.ts';
import { anonymous } from '../authentication/anonymous.ts';
import { inProcessUser } from '../authentication/in-process-user.ts';
import { tokenFile } from '../authentication/token-file.ts';
import { bearerToken } from '../authentication/bearer-token.ts';
import { addAuthenticatedGroup, unionAuthenticator, unlessRefused } from '../authentication/union.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { alwaysAllow } from '../authorization/fixed.ts';
import { installRootDiscovery } from '../discovery/root.ts';
import { inFlightDefaults } from '../filters/max-in-flight.ts';
import type { FlowControl } from '../flow-control/flow-control.ts';
import { GenericApiServer, serveChain, type ServedChain } from '../generic-api-server.ts';
import { GenericStore } from '../generic-store.ts';
import { inProcessTransport } from '../http/in-process.ts';
import { RequestCounter } from '../lifecycle/request-counter.ts';
import { auditingOf, type AuditSetup } from '../audit/audit-setup.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { ServerServices } from '../services/services.ts';
import type { Strategy } from '../strategy.ts';

export interface InMemoryApiOptions {
  readonly resources: readonly InMemoryResource[];
  readonly clock?: Clock;
  readonly storage?: Storage;
  readonly authorizer?: Authorizer;
  readonly plugins?: readonly AdmissionPlugin[];
  /** CSV, as `--token-auth-file`. */
  readonly tokens?: string;
  readonly log?: (line: string) => void;
  /** Creates priority and fairness from the services of the server; only the default limits apply if unset. */
  readonly flowControl?: (services: ServerServices) => FlowControl;
  readonly audit?: AuditSetup;
  readonly tracer?: Tracer;
  readonly allowsUnsafeDeletion?: boolean;
}

export interface InMemoryResource {
  readonly kind: Kind;
  readonly strategy?: Partial<Strategy>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** The body as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of any shape
  readonly json: any;
}

export interface InMemoryApi {
  readonly server: GenericApiServer;
  readonly chain: ServedChain;
  readonly storage: Storage;
  readonly stores: Readonly<Record<string, GenericStore>>;
  readonly services: ServerServices;
  /** Sends and receives bytes as over a network; objects are sent as JSON. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Reads `count` lines of a watch. */
  watchLines(path: string, count: number, headers?: Record<string, string>): Promise<readonly unknown[]>;
}

export function inMemoryApi(options: InMemoryApiOptions): InMemoryApi {
  const clock = options.clock ?? new ManualClock();
  const storage = options.storage ?? new MemoryStorage();
  const authorizer = options.authorizer ?? alwaysAllow;
  const services = servicesOf(options, clock, authorizer);
  const server = new GenericApiServer({ name: 'test', services });
  const stores = installResources(server, options.resources, storage, services);
  installRootDiscovery(server.plain, {
    groups: () => server.groups,
    serverAddress: '127.0.0.1:6443',
    services,
  });
  const tokens = options.tokens ?? 'test-token,tester,1,"system:masters"';
  const chain = serveChain(server, {
    services,
    authenticator: unlessRefused(
      addAuthenticatedGroup(
        unionAuthenticator([inProcessUser, bearerToken(tokenFile(tokens, { path: 'tokens.csv' }), [])]),
      ),
      anonymous({ enabled: true }),
    ),
    authorizer,
    limits: inFlightDefaults,
    flowControl: options.flowControl?.(services),
    requestTimeoutMs: 60_000,
    allowedOrigins: [],
    transportSecurityDirectives: [],
    logEveryRequest: false,
    auditing: options.audit && auditingOf(options.audit, services),
    tracer: options.tracer,
    stopping: { refusesNewRequests: false, sendsRetryAfter: false, endsWatches: false },
    inFlight: new RequestCounter(),
  });
  return { server, chain, storage, stores, services, ...clientOf(chain) };
}

function servicesOf(options: InMemoryApiOptions, clock: Clock, authorizer: Authorizer): ServerServices {
  const random = seededRandom(1);
  let uids = 0;
  return {
    clock,
    random,
    newUid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
    log: options.log ?? (() => undefined),
    authorizer,
    admission: admissionChain(options.plugins ?? []),
    metrics: new Metrics(),
    registeredKind: (apiVersion, kind) =>
      options.resources.find((one) => one.kind.apiVersion === apiVersion && one.kind.kind === kind)?.kind,
    goTypeOf: ({ version, kind }) => `${version}.${kind}`,
    minRequestTimeoutMs: 1_800_000,
    allowsUnsafeDeletion: options.allowsUnsafeDeletion ?? false,
  };
}

function installResources(
  server: GenericApiServer,
  resources: readonly InMemoryResource[],
  storage: Storage,
  services: ServerServices,
): Record<string, GenericStore> {
  const stores: Record<string, GenericStore> = {};
  const groups = new Map<string, Map<string, Record<string, ApiResource>>>();
  for (const { kind, strategy } of resources) {
    const { plural, namespaced } = kind.names!;
    const store = new GenericStore({
      resource: { group: kind.group, resource: plural },
      kind,
      strategy: { namespaced, ...strategy },
      storage,
      prefix: `/registry/${plural}`,
      clock: services.clock,
      random: services.random,
      newUid: services.newUid,
    });
    stores[plural] = store;
    const versions = groups.get(kind.group) ?? new Map<string, Record<string, ApiResource>>();
    groups.set(
      kind.group,
      versions.set(kind.version, { ...versions.get(kind.version), [plural]: { storage: store } }),
    );
  }
  for (const [name, versions] of groups) {
    const group: ApiGroup = {
      name,
      versions: [...versions].map(([version, byPath]) => ({ version, resources: byPath })),
    };
    server.install(group);
  }
  return stores;
}

function clientOf(chain: ServedChain): Pick<InMemoryApi, 'request' | 'watchLines'> {
  const transport = inProcessTransport({ serve: (incoming) => chain.serve(incoming), structured: false });
  const authorization = 'Bearer test-token';
  return {
    async request(method, path, body, headers = {}) {
      const bytes = body === undefined ? undefined : bytesOf(body);
      const response = await transport.send({
        method,
        path,
        headers: { authorization, accept: 'application/json', ...headers },
        ...(bytes && { body: bytes }),
      });
      const text = new TextDecoder().decode(await response.bytes());
      return {
        status: response.status,
        headers: response.headers,
        body: text,
        get json() {
          return JSON.parse(text) as unknown;
        },
      };
    },
    async watchLines(path, count, headers = {}) {
      const abort = new AbortController();
      const response = await transport.send({
        method: 'GET',
        path,
        headers: { authorization, ...headers },
        signal: abort.signal,
      });
      const lines: unknown[] = [];
      let text = '';
      for await (const chunk of response.stream()) {
        text += new TextDecoder().decode(chunk);
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
          lines.push(JSON.parse(text.slice(0, end)));
          text = text.slice(end + 1);
        }
        if (lines.length >= count) break;
      }
      abort.abort();
      return lines;
    },
  };
}

const bytesOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array
    ? body
    : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

export type { KubeObject };
