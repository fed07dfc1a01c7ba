/**
 * A custom API server made with the generic library: two types, validation, defaults, an admission plugin, storage in
 * memory, discovery, served over HTTPS. Behind an APIService it is part of the cluster's API.
 *
 *     kubectl get colors.paint.example.com
 */
import {
  forbidden,
  invalidError,
  newUid,
  systemClock,
  systemRandom,
  type FieldError,
} from '@coxswain/apimachinery';
import {
  admissionChain,
  type AdmissionPlugin,
  type Authenticator,
  type Authorizer,
  type ServerServices,
  type Strategy,
} from '@coxswain/apiserver';
import { installRootDiscovery } from '@coxswain/apiserver/discovery/root.ts';
import { inFlightDefaults } from '@coxswain/apiserver/filters/max-in-flight.ts';
import { GenericApiServer, serveChain } from '@coxswain/apiserver/generic-api-server.ts';
import { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { serveSecurely, type SecureServer } from '@coxswain/apiserver/http/secure-serving.ts';
import { RequestCounter } from '@coxswain/apiserver/lifecycle/request-counter.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { always, kind, ObjectMeta, optional, string, struct, type Kind, type Static } from '@coxswain/schema';
import { MemoryStorage } from '@coxswain/storage';

const group = 'paint.example.com';

const ColorSpec = struct('paint/v1.ColorSpec', {
  hex: always(1, string, { required: true }),
  finish: optional(2, string, { default: 'matt' }),
});

const Color = kind(
  'paint/v1.Color',
  `${group}/v1`,
  { plural: 'colors', singular: 'color', shortNames: ['co'], namespaced: true },
  { metadata: optional(1, ObjectMeta), spec: optional(2, ColorSpec) },
);
interface Color extends Static<typeof Color> {}

/** Its name is the forbidden color, without the #. */
const BannedColor = kind(
  'paint/v1.BannedColor',
  `${group}/v1`,
  { plural: 'bannedcolors', singular: 'bannedcolor', namespaced: false },
  { metadata: optional(1, ObjectMeta) },
);

/** Validates a color beyond its type. */
const colorErrors = ({ spec }: Color): readonly FieldError[] =>
  /^#[0-9a-f]{6}$/.test(spec?.hex ?? '')
    ? []
    : [invalidError('spec.hex', spec?.hex ?? '', 'must be # and six hexadecimal digits')];

const strategies: readonly (readonly [Kind, Strategy])[] = [
  [
    Color as never,
    {
      namespaced: true,
      validate: (object) => colorErrors(object as Color),
      validateUpdate: (object) => colorErrors(object as Color),
    },
  ],
  [BannedColor as never, { namespaced: false }],
];

export interface SampleApiServerOptions {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
}

/** Resolves when it listens, on any free port of this machine. */
export function startSampleApiServer(options: SampleApiServerOptions): Promise<SecureServer> {
  const { authenticator, authorizer, cert, key } = options;
  const storage = new MemoryStorage();
  const stores = new Map<string, GenericStore>();
  const services = servicesFor(authorizer, [bannedColors(stores)]);
  for (const [one, strategy] of strategies) {
    stores.set(one.names!.plural, storeOf(one, strategy, storage, services));
  }

  const server = new GenericApiServer({ name: 'sample', services });
  const resources = Object.fromEntries(
    strategies.map(([{ names }]) => [
      names!.plural,
      { storage: stores.get(names!.plural)!, singularName: names!.singular, shortNames: names!.shortNames },
    ]),
  );
  server.install({ name: group, versions: [{ version: 'v1', resources }] });
  installRootDiscovery(server.plain, { groups: () => server.groups, serverAddress: '127.0.0.1', services });

  const chain = serveChain(server, {
    services,
    authenticator,
    authorizer,
    limits: inFlightDefaults,
    requestTimeoutMs: 60_000,
    allowedOrigins: [],
    transportSecurityDirectives: [],
    logEveryRequest: false,
    stopping: { refusesNewRequests: false, sendsRetryAfter: false, endsWatches: false },
    inFlight: new RequestCounter(),
  });
  return serveSecurely({ host: '127.0.0.1', port: 0, cert, key, serve: (incoming) => chain.serve(incoming) });
}

function servicesFor(authorizer: Authorizer, plugins: readonly AdmissionPlugin[]): ServerServices {
  return {
    clock: systemClock,
    random: systemRandom,
    newUid,
    log: (line) => console.error(line),
    authorizer,
    admission: admissionChain(plugins),
    metrics: new Metrics(),
    registeredKind: (apiVersion, name) =>
      strategies.map(([one]) => one).find((one) => one.apiVersion === apiVersion && one.kind === name),
    goTypeOf: () => undefined,
    minRequestTimeoutMs: 1_800_000,
  };
}

function storeOf(one: Kind, strategy: Strategy, storage: MemoryStorage, services: ServerServices) {
  const resource = { group, resource: one.names!.plural };
  const prefix = `/registry/${group}/${resource.resource}`;
  const { clock, random } = services;
  return new GenericStore({ kind: one, strategy, resource, storage, prefix, clock, random, newUid });
}

const bannedColors = (stores: ReadonlyMap<string, GenericStore>): AdmissionPlugin => ({
  name: 'BannedColors',
  resources: [{ group, resource: 'colors' }],
  handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
  async validate(attributes) {
    const hex = (attributes.object as Color | undefined)?.spec?.hex.slice(1);
    const { objects } = await stores.get('bannedcolors')!.cache.list();
    if (objects.some(({ object }) => object.metadata.name === hex)) {
      throw forbidden(attributes.resource, attributes.name, `the color #${hex} is banned`);
    }
  },
});
