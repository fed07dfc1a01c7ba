/** Runs all admission plugins in order: first the mutating phase, then the validating phase. */
import { here, runStepInTurn, type Clock, type GroupResource } from '@coxswain/apimachinery';
import type { Histogram } from '@coxswain/apimachinery/metrics/metrics.ts';
import { recordingChanges, recordingReplacement } from '../recorded-values/object-changes.ts';
import type { AdmissionMetrics, AdmissionTimes } from './admission-metrics.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './plugin.ts';

export interface AdmissionChain {
  handles(operation: AdmissionOperation): boolean;
  mutate(attributes: AdmissionAttributes): void | Promise<void>;
  validate(attributes: AdmissionAttributes): void | Promise<void>;
  /** The plugins that handle such a write, in order. */
  pluginsOf(phase: Phase, operation: AdmissionOperation, resource: GroupResource): readonly AdmissionPlugin[];
}

type Phase = 'mutate' | 'validate';

/** The maximum number of resources whose plugin lists are cached; those of custom resources come and go. */
const rememberedMax = 4096;

interface AskedAbout {
  readonly operation: AdmissionOperation;
  readonly resource: GroupResource;
}

/** A plugin and the histograms that record its durations. */
interface AskedPlugin {
  readonly plugin: AdmissionPlugin;
  /** The step's name for observers. */
  readonly step: string;
  readonly times: AdmissionTimes | undefined;
}

export function admissionChain(
  plugins: readonly AdmissionPlugin[],
  metrics?: AdmissionMetrics,
): AdmissionChain {
  const handled = new Map<string, readonly AskedPlugin[]>();
  const pluginsFor = (
    phase: Phase,
    { operation, resource: { group, resource } }: AskedAbout,
  ): readonly AskedPlugin[] => {
    const key = `${phase} ${operation} ${group}/${resource}`;
    let found = handled.get(key);
    if (found === undefined) {
      found = plugins
        .filter(
          (plugin) =>
            plugin[phase] !== undefined &&
            plugin.handles(operation) &&
            (plugin.resources?.some((one) => one.group === group && one.resource === resource) ?? true),
        )
        .map((plugin) => ({
          plugin,
          step: `admission/${phase}/${plugin.name}`,
          times: metrics?.ofPlugin(plugin.name, phase, operation),
        }));
      if (handled.size >= rememberedMax) handled.clear();
      handled.set(key, found);
    }
    return found;
  };
  const run = (asked: readonly AskedPlugin[], phase: Phase, attributes: AdmissionAttributes) =>
    metrics === undefined
      ? runPhase(asked, phase, attributes, 0)
      : timedPhase(asked, phase, attributes, metrics);
  return {
    handles: (operation) => plugins.some((plugin) => plugin.handles(operation)),
    mutate(attributes) {
      const asked = pluginsFor('mutate', attributes);
      const done = run(asked, 'mutate', attributes);
      return done === undefined
        ? secondRound(asked, attributes)
        : done.then(() => secondRound(asked, attributes));
    },
    validate: (attributes) => run(pluginsFor('validate', attributes), 'validate', attributes),
    pluginsOf: (phase, operation, resource) =>
      pluginsFor(phase, { operation, resource }).map(({ plugin }) => plugin),
  };
}

function secondRound(plugins: readonly AskedPlugin[], attributes: AdmissionAttributes): void | Promise<void> {
  const { reinvocation } = attributes;
  if (!reinvocation?.isWanted || reinvocation.isSecondRound) return;
  reinvocation.isSecondRound = true;
  return runStepInTurn(attributes.observer, here`admission/reinvoke`, () =>
    runPhase(plugins, 'mutate', attributes, 0),
  );
}

/** Runs plugins one after the other; returns a promise only once a plugin is asynchronous. */
function runPhase(
  plugins: readonly AskedPlugin[],
  phase: Phase,
  attributes: AdmissionAttributes,
  from: number,
  clock?: Clock,
): void | Promise<void> {
  // A plugin is timed from the end of its predecessor, so the clock is read only once per plugin.
  let startMs = clock?.monotonic() ?? 0;
  for (let at = from; at < plugins.length; at++) {
    const asked = plugins[at]!;
    const { times } = asked;
    let done;
    try {
      done = runPlugin(asked, phase, attributes);
    } catch (failure) {
      note(times?.rejected, clock, startMs);
      throw failure;
    }
    if (done instanceof Promise)
      return runRest(noted(done, clock, startMs, times), plugins, phase, attributes, at + 1, clock);
    startMs = note(times?.passed, clock, startMs);
  }
}

/** A separate function: a closure within the loop would cost an allocation per plugin. */
const runRest = (done: Promise<void>, ...rest: Parameters<typeof runPhase>): Promise<void> =>
  done.then(() => runPhase(...rest));

/** Records a duration and returns the time at which it ended. */
function note(times: Histogram | undefined, clock: Clock | undefined, startMs: number): number {
  if (clock === undefined || times === undefined) return startMs;
  const endMs = clock.monotonic();
  times.observe((endMs - startMs) / 1000);
  return endMs;
}

/** Does the same for an asynchronous plugin; rejections are recorded separately. */
const noted = (
  done: Promise<void>,
  clock: Clock | undefined,
  startMs: number,
  times: AdmissionTimes | undefined,
): Promise<void> =>
  done.then(
    () => void note(times?.passed, clock, startMs),
    (failure: unknown) => {
      note(times?.rejected, clock, startMs);
      throw failure;
    },
  );

function runPlugin(
  { plugin, step }: AskedPlugin,
  phase: Phase,
  attributes: AdmissionAttributes,
): void | Promise<void> {
  const { observer } = attributes;
  if (observer === undefined) return callPlugin(plugin, phase, attributes);
  const call = () => callPlugin(plugin, phase, attributes);
  const reporting = plugin.changesInPlace === false ? recordingReplacement : recordingChanges;
  const body = phase === 'mutate' ? () => reporting(observer, attributes.resource, attributes, call) : call;
  return runStepInTurn(observer, step, body, undefined, plugin[phase]);
}

/** A plugin that the write does not concern returns nothing, so that nothing is awaited. */
function callPlugin(
  plugin: AdmissionPlugin,
  phase: Phase,
  attributes: AdmissionAttributes,
): void | Promise<void> {
  if (plugin.concerns?.(attributes) ?? true) return plugin[phase]!(attributes);
}

/** Runs all plugins of a phase and also records the duration of the whole phase. */
function timedPhase(
  asked: readonly AskedPlugin[],
  phase: Phase,
  attributes: AdmissionAttributes,
  metrics: AdmissionMetrics,
): void | Promise<void> {
  const { clock } = metrics;
  const times = metrics.ofPhase(phase, attributes.operation);
  const startMs = clock.monotonic();
  let done;
  try {
    done = runPhase(asked, phase, attributes, 0, clock);
  } catch (failure) {
    note(times.rejected, clock, startMs);
    throw failure;
  }
  if (done instanceof Promise) return noted(done, clock, startMs, times);
  note(times.passed, clock, startMs);
}
