/** All admission plugins in their order: first each may change the object, later each may refuse it. */
import { runStep } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import type { AdmissionMetrics, AdmissionTimes } from './admission-metrics.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './plugin.ts';

export interface AdmissionChain {
  handles(operation: AdmissionOperation): boolean;
  mutate(attributes: AdmissionAttributes): void | Promise<void>;
  validate(attributes: AdmissionAttributes): void | Promise<void>;
}

type Phase = 'mutate' | 'validate';

/** Resources whose plugins are remembered; those of custom resources come and go. */
const rememberedMax = 4096;

/** A plugin, and where its times are noted. */
interface AskedPlugin {
  readonly plugin: AdmissionPlugin;
  readonly times: AdmissionTimes | undefined;
}

export function admissionChain(
  plugins: readonly AdmissionPlugin[],
  metrics?: AdmissionMetrics,
): AdmissionChain {
  const handled = new Map<string, readonly AskedPlugin[]>();
  const pluginsFor = (phase: Phase, { operation, resource: { group, resource } }: AdmissionAttributes) => {
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
        .map((plugin) => ({ plugin, times: metrics?.ofPlugin(plugin.name, phase, operation) }));
      if (handled.size >= rememberedMax) handled.clear();
      handled.set(key, found);
    }
    return found;
  };
  const run = (asked: readonly AskedPlugin[], phase: Phase, attributes: AdmissionAttributes) =>
    metrics === undefined
      ? runPhase(asked, phase, attributes, 0)
      : timed(metrics.clock, metrics.ofPhase(phase, attributes.operation), () =>
          runPhase(asked, phase, attributes, 0, metrics.clock),
        );
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
  };
}

export const noAdmission: AdmissionChain = admissionChain([]);

function secondRound(plugins: readonly AskedPlugin[], attributes: AdmissionAttributes): void | Promise<void> {
  const { reinvocation } = attributes;
  if (!reinvocation?.isWanted || reinvocation.isSecondRound) return;
  reinvocation.isSecondRound = true;
  return runPhase(plugins, 'mutate', attributes, 0);
}

/** Plugins one after the other; a promise only from the first that needs one. */
function runPhase(
  plugins: readonly AskedPlugin[],
  phase: Phase,
  attributes: AdmissionAttributes,
  from: number,
  clock?: Clock,
): void | Promise<void> {
  for (let at = from; at < plugins.length; at++) {
    const { plugin, times } = plugins[at]!;
    const done =
      clock === undefined || times === undefined
        ? runPlugin(plugin, phase, attributes)
        : timed(clock, times, () => runPlugin(plugin, phase, attributes));
    if (done instanceof Promise) {
      return done.then(() => runPhase(plugins, phase, attributes, at + 1, clock));
    }
  }
}

function runPlugin(
  plugin: AdmissionPlugin,
  phase: Phase,
  attributes: AdmissionAttributes,
): void | Promise<void> {
  const { observer } = attributes;
  return observer === undefined
    ? plugin[phase]!(attributes)
    : runStep(observer, `admission/${phase}/${plugin.name}`, () => plugin[phase]!(attributes));
}

/** Notes how long `work` takes, and whether it refuses. */
function timed(clock: Clock, times: AdmissionTimes, work: () => void | Promise<void>): void | Promise<void> {
  const startMs = clock.monotonic();
  const passed = () => times.passed.observe((clock.monotonic() - startMs) / 1000);
  const rejected = (failure: unknown): never => {
    times.rejected.observe((clock.monotonic() - startMs) / 1000);
    throw failure;
  };
  try {
    const done = work();
    if (done instanceof Promise) return done.then(passed, rejected);
    passed();
  } catch (failure) {
    rejected(failure);
  }
}
