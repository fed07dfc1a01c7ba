/** Tests the type of everything that `@coxswain/client` exports; the compiler reports exports without a test. */
import type { Clock, GroupResource, KubeObject, StatusError } from '@coxswain/apimachinery';
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import { Pod } from '@coxswain/api/core/v1/pod.ts';
import * as library from '@coxswain/client';
import * as node from '@coxswain/client/node.ts';
import { expect, expectTypeOf, test } from 'vitest';
import definition from './gadget-definition.json' with { type: 'json' };

/** A kind as the published declarations write one, including what is required. */
interface Task {
  apiVersion: 'example.com/v1';
  kind: 'Task';
  metadata: { name?: string; labels?: Record<string, string> };
  spec: TaskSpec;
  status: { phase?: string };
  readonly [library.required]?: 'apiVersion' | 'kind' | 'metadata' | 'spec';
}
interface TaskSpec {
  containers: Container[];
  replicas?: number;
  readonly [library.required]?: 'containers';
}
interface Container {
  name: string;
  image?: string;
  readonly [library.required]?: 'name';
}

const metadata = { name: 'work', labels: { app: 'work' } };
const work: library.Draft<Task> = {
  apiVersion: 'example.com/v1',
  kind: 'Task',
  metadata,
  spec: { containers: [{ name: 'work' }] },
};
const gadgets = library.customKind(definition);

/** Type-level symbols for `Draft`. No module has them. */
type OnlyTypes = 'required' | 'drafted';

/** Nothing is called; only the compiler checks this. */
const typeTests = {
  BackOff: () => expectTypeOf<library.BackOff>().toHaveProperty('next').returns.toEqualTypeOf<number>(),
  ConnectionSilent: () => expectTypeOf<library.ConnectionSilent>().toExtend<Error>(),
  EventBroadcaster: () =>
    expectTypeOf(library.EventBroadcaster.prototype.recorder).returns.toEqualTypeOf<library.EventRecorder>(),
  EventCorrelator: () =>
    expectTypeOf(library.EventCorrelator.prototype.correlate).parameters.toEqualTypeOf<[library.CoreEvent]>(),
  Expectations: () => expectTypeOf(library.Expectations).toBeConstructibleWith({} as Clock),
  HostBackOff: () => expectTypeOf(library.HostBackOff).toBeConstructibleWith(1, 2),
  Informer: () => {
    const informer = (client: library.KubeClient) => new library.Informer({ resource: client.of(Pod) });
    expectTypeOf(informer).returns.toEqualTypeOf<library.Informer<Pod & KubeObject>>();
    type Found = ReturnType<library.Informer<Pod & KubeObject>['lister']['get']>;
    expectTypeOf<NonNullable<Found>['spec']['containers'][number]['name']>().toEqualTypeOf<string>();
  },
  InformerFactory: () =>
    expectTypeOf(library.InformerFactory.prototype.start).parameters.toEqualTypeOf<[AbortSignal]>(),
  InvalidKubeconfig: () => {
    expectTypeOf<library.InvalidKubeconfig>().toExtend<Error>();
    expectTypeOf<library.InvalidKubeconfig['problems']>().toEqualTypeOf<readonly string[]>();
  },
  KubeClient: () => {
    const apply = (client: library.KubeClient) => client.apply(work, { fieldManager: 'me' });
    expectTypeOf(apply).returns.resolves.toHaveProperty('kind').toEqualTypeOf<'Task'>();
    const of = (client: library.KubeClient) => client.of(Deployment);
    expectTypeOf(of).returns.toEqualTypeOf<library.ResourceClient<Deployment & KubeObject>>();
    const resource = (client: library.KubeClient) => client.resource('apps/v1', 'deployments');
    expectTypeOf(resource).returns.toEqualTypeOf<library.ResourceClient>();
    // @ts-expect-error who applies it is not said
    void ((client: library.KubeClient) => client.apply(work));
    // @ts-expect-error what it is is not said
    void ((client: library.KubeClient) => client.apply({ metadata }, { fieldManager: 'me' }));
  },
  NoMatchError: () => expectTypeOf<library.NoMatchError>().toExtend<Error>(),
  ResourceClient: () => {
    type Deployments = library.ResourceClient<Deployment & KubeObject>;
    type Tasks = library.ResourceClient<Task>;
    void ((all: Tasks) => all.create(work));
    void ((all: Tasks) => all.create({ metadata, spec: { containers: [{ name: 'work' }] } }));
    void ((all: Tasks) => all.apply({ metadata, spec: { replicas: 2 } }, { fieldManager: 'me' }));
    // @ts-expect-error a task has a spec
    void ((all: Tasks) => all.create({ metadata }));
    // @ts-expect-error there is no such type of patch
    void ((all: Tasks) => all.patch('work', {}, { type: 'diff' }));
    expectTypeOf<Awaited<ReturnType<Deployments['get']>>['status']['availableReplicas']>().toExtend<
      number | null | undefined
    >();
  },
  RestClient: () =>
    expectTypeOf(library.RestClient).toBeConstructibleWith({ transport: {} as library.Transport }),
  Store: () => expectTypeOf<library.Store<KubeObject>>().toExtend<library.Lister<KubeObject>>(),
  TokenBucket: () => expectTypeOf<library.TokenBucket>().toExtend<library.RateLimiter>(),
  WatchBatches: () =>
    expectTypeOf<library.WatchBatches<KubeObject>>().toExtend<AsyncIterable<readonly unknown[]>>(),
  WorkQueue: () =>
    expectTypeOf(library.WorkQueue.prototype.get).returns.resolves.toEqualTypeOf<string | undefined>(),
  aggregatedDiscoveryAccept: () => expectTypeOf(library.aggregatedDiscoveryAccept).toBeString(),
  answerError: () =>
    expectTypeOf(library.answerError).toEqualTypeOf<
      (
        response: library.TransportResponse,
        verb: string,
        resource: GroupResource,
        name: string,
      ) => Promise<StatusError>
    >(),
  answerObject: () => expectTypeOf(library.answerObject).returns.resolves.toBeUnknown(),
  checkUsable: () => expectTypeOf(library.checkUsable).returns.toBeVoid(),
  contextNotFound: () => expectTypeOf(library.contextNotFound).toEqualTypeOf<(name: string) => string>(),
  controllerRetry: () => expectTypeOf(library.controllerRetry).returns.toEqualTypeOf<library.RetryLimiter>(),
  createClient: () => {
    expectTypeOf(library.createClient).parameters.toEqualTypeOf<[library.RestClientOptions]>();
    expectTypeOf(library.createClient).returns.toEqualTypeOf<library.KubeClient>();
    // @ts-expect-error there is no connection
    void (() => library.createClient({}));
  },
  customKind: () => {
    // For a definition in a JSON file, the names of fields are known, but not their types.
    type Gadget = library.ObjectOf<typeof gadgets>;
    expectTypeOf<NonNullable<Gadget['spec']>>().toHaveProperty('size');
    // @ts-expect-error there is no such member
    void ((gadget: Gadget) => gadget.spec?.weight);
  },
  defaultBurst: () => expectTypeOf(library.defaultBurst).toBeNumber(),
  defaultQueriesPerSecond: () => expectTypeOf(library.defaultQueriesPerSecond).toBeNumber(),
  discoveryClient: () =>
    expectTypeOf(library.discoveryClient).returns.toEqualTypeOf<library.DiscoveryClient>(),
  discoveryTimeoutMs: () => expectTypeOf(library.discoveryTimeoutMs).toBeNumber(),
  emptyKubeconfigText: () => expectTypeOf(library.emptyKubeconfigText).toBeString(),
  encodeQuery: () => {
    expectTypeOf(library.encodeQuery).toBeCallableWith({
      limit: 5,
      watch: true,
      container: ['a'],
      no: undefined,
    });
    expectTypeOf(library.encodeQuery).returns.toBeString();
  },
  eventName: () =>
    expectTypeOf(library.eventName).toEqualTypeOf<(objectName: string, nowMs: number) => string>(),
  expectationsTimeoutMs: () => expectTypeOf(library.expectationsTimeoutMs).toBeNumber(),
  exponentialRetry: () => {
    expectTypeOf(library.exponentialRetry).toBeCallableWith(5, 1000);
    expectTypeOf(library.exponentialRetry).returns.toEqualTypeOf<library.RetryLimiter>();
  },
  failureFirstMs: () => expectTypeOf(library.failureFirstMs).toBeNumber(),
  failureMaxMs: () => expectTypeOf(library.failureMaxMs).toBeNumber(),
  formatGroupVersionKind: () => expectTypeOf(library.formatGroupVersionKind).returns.toBeString(),
  groupVersionPath: () =>
    expectTypeOf(library.groupVersionPath).toBeCallableWith({ group: 'apps', version: 'v1' }),
  idleTimeoutDefaultMs: () => expectTypeOf(library.idleTimeoutDefaultMs).toBeNumber(),
  leaseDurationDefaultMs: () => expectTypeOf(library.leaseDurationDefaultMs).toBeNumber(),
  mergeKubeconfigs: () =>
    expectTypeOf(library.mergeKubeconfigs).toEqualTypeOf<
      (configs: readonly library.Kubeconfig[]) => library.Kubeconfig
    >(),
  namespaceOfKubeconfig: () => expectTypeOf(library.namespaceOfKubeconfig).returns.toBeString(),
  objectKey: () => expectTypeOf(library.objectKey).toEqualTypeOf<(object: KubeObject) => string>(),
  onceEach: () =>
    expectTypeOf(library.onceEach).toEqualTypeOf<
      (handler: library.WarningHandler) => library.WarningHandler
    >(),
  pageSizeDefault: () => expectTypeOf(library.pageSizeDefault).toBeNumber(),
  parseJson: () => {
    expectTypeOf(library.parseJson).parameters.toEqualTypeOf<[Uint8Array | string]>();
    expectTypeOf(library.parseJson).returns.toBeUnknown();
  },
  patchContentTypes: () =>
    expectTypeOf(library.patchContentTypes).toEqualTypeOf<Readonly<Record<library.PatchType, string>>>(),
  pluralOf: () => expectTypeOf(library.pluralOf).toEqualTypeOf<(kind: string) => string>(),
  referenceTo: () => expectTypeOf(library.referenceTo).returns.toEqualTypeOf<library.ObjectReference>(),
  reflect: () => expectTypeOf(library.reflect<KubeObject>).returns.resolves.toBeVoid(),
  reflectorBackOff: () => expectTypeOf(library.reflectorBackOff).toEqualTypeOf<library.BackOffShape>(),
  renewDeadlineDefaultMs: () => expectTypeOf(library.renewDeadlineDefaultMs).toBeNumber(),
  requestPath: () =>
    expectTypeOf(library.requestPath).toEqualTypeOf<
      (verb: string, target: library.RequestTarget) => string
    >(),
  resolveKubeconfig: () =>
    expectTypeOf(library.resolveKubeconfig).returns.toEqualTypeOf<library.ResolvedKubeconfig>(),
  restMapper: () => expectTypeOf(library.restMapper).returns.toEqualTypeOf<library.RestMapper>(),
  retriesMax: () => expectTypeOf(library.retriesMax).toBeNumber(),
  retryAfterSeconds: () =>
    expectTypeOf(library.retryAfterSeconds).toEqualTypeOf<
      (response: library.TransportResponse) => number | undefined
    >(),
  retryPeriodDefaultMs: () => expectTypeOf(library.retryPeriodDefaultMs).toBeNumber(),
  runLeaderElection: () => {
    expectTypeOf(library.runLeaderElection).parameters.toEqualTypeOf<[library.LeaderElectionOptions]>();
    expectTypeOf(library.runLeaderElection).returns.resolves.toBeVoid();
  },
  runWorkers: () => expectTypeOf(library.runWorkers).parameters.toEqualTypeOf<[library.WorkersOptions]>(),
  splitObjectKey: () =>
    expectTypeOf(library.splitObjectKey).returns.toEqualTypeOf<{
      readonly namespace: string;
      readonly name: string;
    }>(),
  staleAfterDefaultMs: () => expectTypeOf(library.staleAfterDefaultMs).toBeNumber(),
  warningTexts: () => {
    expectTypeOf(library.warningTexts).parameters.toEqualTypeOf<[string | readonly string[] | undefined]>();
    expectTypeOf(library.warningTexts).returns.toEqualTypeOf<string[]>();
  },
  ExecCredentials: () =>
    expectTypeOf(node.ExecCredentials.prototype.get).returns.resolves.toEqualTypeOf<node.ExecCredential>(),
  HttpTransport: () => expectTypeOf<node.HttpTransport>().toExtend<library.Transport>(),
  InvalidServer: () => expectTypeOf<node.InvalidServer>().toExtend<Error>(),
  cachedDiscovery: () => expectTypeOf(node.cachedDiscovery).returns.toEqualTypeOf<library.DiscoveryClient>(),
  connect: () => {
    expectTypeOf(node.connect).toBeCallableWith({} as library.Kubeconfig, { userAgent: 'me' });
    expectTypeOf(node.connect).returns.toEqualTypeOf<library.KubeClient>();
  },
  credentialsOf: () => expectTypeOf(node.credentialsOf).returns.toEqualTypeOf<node.Credentials>(),
  discoveryCacheDirectory: () =>
    expectTypeOf(node.discoveryCacheDirectory).toEqualTypeOf<
      (cacheDirectory: string, address: string) => string
    >(),
  diskCached: () =>
    expectTypeOf(node.diskCached).toEqualTypeOf<
      (transport: library.Transport, options: node.DiskCacheOptions) => library.Transport
    >(),
  impersonationOf: () =>
    expectTypeOf(node.impersonationOf).toEqualTypeOf<(user: library.KubeconfigUser) => node.Credentials>(),
  inClusterKubeconfig: () =>
    expectTypeOf(node.inClusterKubeconfig).returns.toEqualTypeOf<library.Kubeconfig | undefined>(),
  kubeconfigFiles: () => expectTypeOf(node.kubeconfigFiles).returns.toEqualTypeOf<string[]>(),
  loadKubeconfig: () => {
    expectTypeOf(node.loadKubeconfig).parameters.toEqualTypeOf<[node.LoadOptions?]>();
    expectTypeOf(node.loadKubeconfig).returns.toEqualTypeOf<library.Kubeconfig>();
  },
  openFailure: () => expectTypeOf(node.openFailure).toEqualTypeOf<library.OpenFailure>(),
  readKubeconfig: () => expectTypeOf(node.readKubeconfig).returns.toEqualTypeOf<library.Kubeconfig>(),
  readKubeconfigAsItIs: () =>
    expectTypeOf(node.readKubeconfigAsItIs).returns.toEqualTypeOf<library.Kubeconfig>(),
  serviceAccountDirectory: () => expectTypeOf(node.serviceAccountDirectory).toBeString(),
  transportOf: () => expectTypeOf(node.transportOf).returns.toEqualTypeOf<node.HttpTransport>(),
} satisfies Record<Exclude<keyof typeof library, OnlyTypes> | keyof typeof node, () => void>;

test.each([...Object.keys(library), ...Object.keys(node)])('%s has a test of its type', (name) => {
  expect(Object.keys(typeTests)).toContain(name);
});

test('a draft says what its schema requires', () => {
  expectTypeOf(work.spec.containers[0]!.name).toEqualTypeOf<string>();
  // @ts-expect-error nothing is said
  const empty: library.Draft<Task> = {};
  // @ts-expect-error a container has a name
  const nameless: library.Draft<Task>['spec'] = { containers: [{}] };
  // @ts-expect-error a text is no number
  const wrong: library.Draft<Task>['spec'] = { containers: [], replicas: 'two' };
  // @ts-expect-error it is of another kind
  const other: library.Draft<Task> = { ...work, kind: 'Job' };
  expect([empty, nameless, wrong, other]).toHaveLength(4);
});
