/**
 * A whole cluster for a test: API server, controllers, scheduler and simulated nodes in this process, without a port
 * and with a virtual clock. `README.md` in this directory describes its use.
 */

import { addonsNamed } from '../addons/addon-names.ts';
import { systemClock, systemRandom, type Clock, type Random } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { Transport } from '@coxswain/client';
import { DefinedImages } from '@coxswain/simulated-nodes/program/defined-images.ts';
import { enabledControllers } from '@coxswain/kube-controller-manager';
import { readConfiguration } from '@coxswain/kube-scheduler';
// Loaded before the clock starts, so that the loading time does not affect the history.
import '../simulated-metrics/metrics-group.ts';
import '../simulated-metrics/node-measurements.ts';
import { startCluster, startClusterFrom, type Cluster, type ClusterOptions } from '../cluster/cluster.ts';
import { DefinedWebhooks } from '../cluster/defined-webhooks.ts';
import type { ClusterStorage } from '../storage/cluster-storage.ts';
import { Beginnings, type Beginning } from './beginnings.ts';
import { checkOptions } from './check-options.ts';
import { readClusterFile } from './cluster-file.ts';
import { clusterPages } from './cluster-pages.ts';
import { decodedOnce } from './decoded-once.ts';
import { eventHistory, type EventHistory } from './event-history.ts';
import { faultInjector, type FaultInjector } from './faults/fault-injector.ts';
import { testingPaths } from './http/testing-paths.ts';
import { ActiveAdvances, whileHeldBack, whileTimePasses, type DelayedAnswers } from './idle/passing-time.ts';
import { advance, settled } from './idle/wait-until-idle.ts';
import { kubeconfigPort } from '#kubeconfig-port';
import { requestLog, type RequestLog } from './requests/request-log.ts';
import { savedBeginning } from '#saved-beginnings';
import { chooseSeed, randomFor, seedVariable, uidsFrom } from './seed.ts';
import { parseKwok } from '../stages/kwok-objects.ts';
import { testCluster, type TestCluster, type TestSnapshot } from './test-cluster.ts';
import { wholeNodes } from './test-nodes.ts';
import { VirtualClock } from './virtual-clock.ts';
import type { CreateClusterOptions } from '../../types/testing.d.ts';

export type { CreateClusterOptions } from '../../types/testing.d.ts';

const beginnings = new Beginnings();

const startMsDefault = Date.UTC(2026, 0, 1);

const startMsOf = ({ startTime }: CreateClusterOptions): number =>
  startTime === undefined ? startMsDefault : new Date(startTime).getTime();

/** The machine's own name would make histories differ between machines. */
const hostName = 'coxswain';
/**
 * RFC 5737. The machine's own address would make runs with the same seed differ, and without one there would be no
 * endpoints.
 */
const advertiseAddress = '192.0.2.1';

/** @throws Error for an unknown option, controller, feature gate or version, and for nodes that the API refuses */
export async function createCluster(options: CreateClusterOptions = {}): Promise<TestCluster> {
  checkOptions(options);
  const seed = chooseSeed(options.seed, process.env[seedVariable]);
  if (options.from !== undefined) return createFromFile(seed, options, options.from);
  if (options.clock !== 'system') return createFromBeginning(seed, options);
  const run = newRun(systemClock, seed);
  const cluster = await startCluster({ ...clusterOptions(options), ...run.options });
  return whole(cluster, systemClock, seed, run, options);
}

/** Continues an exported cluster with its nodes. */
async function createFromFile(
  seed: number,
  options: CreateClusterOptions,
  bytes: Uint8Array,
): Promise<TestCluster> {
  const { snapshot, nowMs, nodeNames } = await readClusterFile(bytes);
  const all = { nodes: nodeNames.map((name) => ({ name })), ...options };
  const clock =
    options.clock === 'system'
      ? systemClock
      : new VirtualClock(options.startTime === undefined ? nowMs : startMsOf(options));
  // Random values of the earlier run must not be repeated.
  const run = newRun(clock, seed, `@${snapshot.revision}`);
  const starting = startClusterFrom(snapshot, { ...clusterOptions(all), ...run.options });
  const cluster = await (clock instanceof VirtualClock
    ? whileTimePasses(starting, { ...run, clock }, starts)
    : starting);
  if (clock instanceof VirtualClock) await settled(run, Number.POSITIVE_INFINITY);
  return whole(cluster, clock, seed, run, all);
}

/** In virtual time, all clusters of one kind start with the same objects, which are created once. */
async function createFromBeginning(seed: number, options: CreateClusterOptions): Promise<TestCluster> {
  const settings = clusterOptions(options);
  const kind = kindOf(options);
  const beginning = await beginnings.get(
    kind,
    async () => (await savedBeginning(kind)) ?? makeBeginning(options),
  );
  const { snapshot, nowMs } = beginning;
  const clock = new VirtualClock(nowMs);
  const run = newRun(clock, seed);
  const starting = startClusterFrom(snapshot, { ...settings, ...run.options });
  const cluster = await whileTimePasses(starting, { ...run, clock }, starts);
  // Whatever controllers do at first sight of these objects belongs to the beginning.
  await settled(run, Number.POSITIVE_INFINITY);
  if (!beginning.isDecoded) {
    const decoded = await decodedOnce(snapshot, cluster.apiServer.stores);
    beginnings.improve(kind, { ...beginning, snapshot: decoded, isDecoded: true });
  }
  return whole(cluster, clock, seed, run, options);
}

/** Clusters that begin with the same objects have the same kind. */
export function kindOf(options: CreateClusterOptions): string {
  const { log: _log, schedulerPlugins: _plugins, ...kind } = clusterOptions(options);
  return JSON.stringify({ ...kind, startMs: startMsOf(options) });
}

export async function makeBeginning(options: CreateClusterOptions): Promise<Beginning> {
  const settings = clusterOptions(options);
  const clock = new VirtualClock(startMsOf(options));
  const run = newRun(clock, beginningSeed, 'beginning');
  const starting = startCluster({ ...settings, ...run.options });
  const cluster = await whileTimePasses(starting, { ...run, clock }, starts);
  await settled(run, Number.POSITIVE_INFINITY);
  const snapshot = await decodedOnce(cluster.snapshot(), cluster.apiServer.stores);
  run.history().stop();
  await cluster.stop();
  return { snapshot, nowMs: clock.now(), isDecoded: true };
}

const starts = { what: 'the start of the cluster', isStart: true };

/** The beginning does not depend on the seed: otherwise a history would depend on which cluster came first. */
const beginningSeed = 0;

interface Run {
  readonly lineage: string;
  readonly options: Pick<
    ClusterOptions,
    | 'clock'
    | 'random'
    | 'newUid'
    | 'transient'
    | 'guests'
    | 'hostName'
    | 'advertiseAddress'
    | 'images'
    | 'webhooks'
  >;
  readonly images: DefinedImages;
  readonly webhooks: DefinedWebhooks;
  /** The random source of requests from outside. */
  readonly random: Random;
  readonly requests: RequestLog;
  readonly injector: FaultInjector;
  readonly paths: ReturnType<typeof testingPaths>;
  history(): EventHistory;
  revision(): number;
}

/**
 * The parts that are new for each cluster, including forks.
 * @param inherited functions that are defined here, too
 * @param lineage identifies the cluster that this one continues, so that its random values are not repeated
 */
function newRun(clock: Clock, seed: number, lineage = '', inherited?: Pick<Run, 'images' | 'webhooks'>): Run {
  const random = (purpose: string) => randomFor(seed, `${purpose}${lineage}`);
  const requests = requestLog(clock);
  let storage: ClusterStorage | undefined;
  let history: EventHistory | undefined;
  const revision = () => storage?.currentRevision ?? 0;
  const injector = faultInjector({
    clock,
    revision,
    random: random('faults'),
    noteFault: requests.noteFault,
  });
  const paths = testingPaths();
  const images = new DefinedImages(inherited?.images);
  const webhooks = new DefinedWebhooks(inherited?.webhooks);
  return {
    lineage,
    images,
    webhooks,
    random: random('outside'),
    requests,
    injector,
    paths,
    revision,
    history: () => history!,
    options: {
      clock,
      hostName,
      advertiseAddress,
      images,
      webhooks,
      random: clock === systemClock ? systemRandom : random('cluster'),
      newUid: uidsFrom(random('uids')),
      transient: { random: random('transient'), newUid: uidsFrom(random('transient uids')) },
      guests(opened) {
        storage = opened;
        history = eventHistory(opened, opened.currentRevision, revision);
        return {
          outermost: paths.aroundRecording(requests.filter),
          innermost: paths.before(injector.filter),
        };
      },
    },
  };
}

function clusterOptions(options: CreateClusterOptions): ClusterOptions {
  const { controllers, nodes = 1, scheduler = true, log } = options;
  const versions = pairs(options.versions);
  const wanted = controllers === false ? [] : (controllers ?? ['*']);
  return {
    controllers: wanted,
    // Without this controller, no namespace has the service account that admission requires for pods.
    ...(!makesAccounts(wanted) && { disableAdmissionPlugins: ['ServiceAccount'] }),
    nodes: typeof nodes === 'number' ? nodes : wholeNodes(nodes),
    scheduler,
    schedulerPlugins: options.schedulerPlugins,
    ...(options.schedulerConfiguration !== undefined && {
      schedulerConfiguration: readConfiguration(options.schedulerConfiguration),
    }),
    servesMetrics: options.metrics ?? true,
    networkPolicies: options.networkPolicies ?? true,
    ...(options.addons && { addons: addonsNamed(options.addons) }),
    ...(options.stages !== undefined && { kwok: parseKwok(options.stages) }),
    ...(log && { log }),
    ...(versions !== '' && { runtimeConfig: versions }),
    ...(options.version !== undefined && { version: options.version }),
    ...(options.featureGates && { featureGates: [pairs(options.featureGates)] }),
  };
}

const makesAccounts = (controllers: readonly string[]): boolean =>
  enabledControllers(controllers).some(({ name }) => name === 'serviceaccount-controller');

const pairs = (values: Readonly<Record<string, boolean>> = {}): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

function whole(
  cluster: Cluster,
  clock: Clock,
  seed: number,
  run: Run,
  options: CreateClusterOptions,
): TestCluster {
  const { requests, injector } = run;
  let forks = 0;
  const movers = new ActiveAdvances();
  const slow: DelayedAnswers = {
    clock,
    requests,
    revision: run.revision,
    delayedUntilMs: injector.delayedUntilMs,
    isMoved: () => movers.any,
  };
  const inItsTime = <T>(answer: Promise<T>): Promise<T> =>
    injector.faults.list().some(({ fault }) => fault.action === 'latency')
      ? whileHeldBack(answer, slow)
      : answer;
  const port = kubeconfigPort(
    (incoming) => {
      const answer = cluster.apiServer.served.serve(incoming);
      return answer instanceof Promise ? inItsTime(answer) : answer;
    },
    options.log ?? (() => {}),
    options,
  );
  const parts = {
    cluster,
    clock,
    seed,
    requests,
    port,
    pages: clusterPages(),
    paths: run.paths,
    faults: injector.faults,
    history: run.history(),
    images: run.images,
    webhooks: run.webhooks,
    random: run.random,
    revision: run.revision,
    delayedUntilMs: injector.delayedUntilMs,
    movers,
    inItsTime,
    namespace: options.namespace ?? 'default',
    // Responses are encoded, as over a network, so that a test may modify the objects that it passes and receives.
    transportOf: (user: UserInfo): Transport => cluster.apiServer.inProcess(user, { structured: false }),
    fork: async ({ cluster: snapshot, nodes }: TestSnapshot): Promise<TestCluster> => {
      const itsClock = clock instanceof VirtualClock ? new VirtualClock(clock.now()) : clock;
      const itsRun = newRun(itsClock, seed, `${run.lineage}/${++forks}`, run);
      const starting = cluster.fork({ snapshot, nodes, ...itsRun.options });
      return whole(
        await whileTimePasses(starting, { ...itsRun, clock: itsClock }, starts),
        itsClock,
        seed,
        itsRun,
        // This cluster already uses the port.
        { ...options, port: 0 },
      );
    },
    advance: (virtual: VirtualClock, ms: number) =>
      advance(virtual, { requests, revision: run.revision }, ms),
  };
  const made = testCluster(parts);
  run.paths.serve(made);
  return made;
}
