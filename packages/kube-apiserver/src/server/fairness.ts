/** The server's priority and fairness: the flow controller, and the objects that configure it. */
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { FlowControl } from '@coxswain/apiserver/flow-control/flow-control.ts';
import { RequestsInProgress } from '@coxswain/apiserver/flow-control/requests-in-progress.ts';
import type { ServerLifecycle } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';
import { ConfigurationConsumer } from '../flow-control/configuration-consumer.ts';
import { ConfigurationEnsurer } from '../flow-control/configuration-ensurer.ts';
import { DanglingReferenceReporter } from '../flow-control/dangling-reference-reporter.ts';
import { storedSizes } from '../flow-control/stored-sizes.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ServerState } from './server-state.ts';

export interface Fairness {
  /** Absent with `--enable-priority-and-fairness=false`. */
  readonly flowControl: FlowControl | undefined;
  /** Resolves when all stored objects are in effect. */
  start(): Promise<void>;
  /** Starts adjusting limits to demand. */
  adjust(): void;
  /** @param bootstrapped resolves when the store has the bootstrap objects */
  addHooks(life: Pick<ServerLifecycle, 'addPostStartHook'>, bootstrapped: Promise<void>): void;
  stop(): void;
}

const group = 'flowcontrol.apiserver.k8s.io';

export function fairnessOf(options: CompletedOptions, state: ServerState): Fairness {
  const { clock, log, random, storage } = options;
  const { loopback, objects, stores } = state;
  const transport = () => loopback.transport;
  const keeper = new ConfigurationEnsurer({ clock, log, objects, transport });
  const flowControl = options.enablePriorityAndFairness ? flowControlOf(options, state) : undefined;
  if (flowControl === undefined) return withoutFlowControl(keeper);
  const reporter = new DanglingReferenceReporter({ transport, clock, random, log });
  const { controller } = flowControl;
  const consumer = new ConfigurationConsumer({ storage, controller, reporter });
  return {
    flowControl,
    async start() {
      const storeOf = (resource: string) => stores.of(group, resource).main;
      await consumer.start(storeOf('flowschemas'), storeOf('prioritylevelconfigurations'));
    },
    adjust: () => controller.start(),
    addHooks(life, bootstrapped) {
      life.addPostStartHook({
        name: 'priority-and-fairness-config-consumer',
        async start() {
          controller.start();
          await bootstrapped;
          await consumer.report();
        },
        work: consumer.report,
      });
      life.addPostStartHook({ name: 'priority-and-fairness-filter', start: () => undefined });
      addKeeper(life, keeper, bootstrapped);
    },
    stop() {
      controller.stop();
      consumer.stop();
      reporter.stop();
      keeper.stop();
    },
  };
}

/** The objects are not used, but exist for when the feature is enabled. */
const withoutFlowControl = (keeper: ConfigurationEnsurer): Fairness => ({
  flowControl: undefined,
  start: () => Promise.resolve(),
  adjust: () => undefined,
  addHooks(life, bootstrapped) {
    life.addPostStartHook({ name: 'max-in-flight-filter', start: () => undefined });
    addKeeper(life, keeper, bootstrapped);
  },
  stop: () => keeper.stop(),
});

const addKeeper = (
  life: Pick<ServerLifecycle, 'addPostStartHook'>,
  keeper: ConfigurationEnsurer,
  bootstrapped: Promise<void>,
): void =>
  life.addPostStartHook({
    name: 'priority-and-fairness-config-producer',
    start: () => bootstrapped.then(() => keeper.start()),
    work: keeper.start,
  });

function flowControlOf({ clock, limits, otherMetrics }: CompletedOptions, state: ServerState): FlowControl {
  const { stores } = state;
  // Serving threads divide the limits among them and report the metrics.
  const metrics = otherMetrics === undefined ? state.metrics : new Metrics();
  return new FlowControl({
    clock,
    metrics,
    seatsTotal: limits.readOnlyMax + limits.mutatingMax,
    sizes: storedSizes((name, resource) => stores.find(name, resource)?.main, clock),
    inProgress: new RequestsInProgress(clock, metrics),
  });
}
