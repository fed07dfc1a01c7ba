/** All admission plugins in their order: first each may change the object, later each may refuse it. */
import { runStep } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './plugin.ts';

export interface AdmissionChain {
  handles(operation: AdmissionOperation): boolean;
  mutate(attributes: AdmissionAttributes): void | Promise<void>;
  validate(attributes: AdmissionAttributes): void | Promise<void>;
}

type Phase = 'mutate' | 'validate';

/** Resources whose plugins are remembered; those of custom resources come and go. */
const rememberedMax = 4096;

export function admissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  const handled = new Map<string, readonly AdmissionPlugin[]>();
  const pluginsFor = (phase: Phase, { operation, resource: { group, resource } }: AdmissionAttributes) => {
    const key = `${phase} ${operation} ${group}/${resource}`;
    let found = handled.get(key);
    if (found === undefined) {
      found = plugins.filter(
        (plugin) =>
          plugin[phase] !== undefined &&
          plugin.handles(operation) &&
          (plugin.resources?.some((one) => one.group === group && one.resource === resource) ?? true),
      );
      if (handled.size >= rememberedMax) handled.clear();
      handled.set(key, found);
    }
    return found;
  };
  return {
    handles: (operation) => plugins.some((plugin) => plugin.handles(operation)),
    mutate(attributes) {
      const asked = pluginsFor('mutate', attributes);
      const done = runPhase(asked, 'mutate', attributes, 0);
      return done === undefined
        ? secondRound(asked, attributes)
        : done.then(() => secondRound(asked, attributes));
    },
    validate: (attributes) => runPhase(pluginsFor('validate', attributes), 'validate', attributes, 0),
  };
}

export const noAdmission: AdmissionChain = admissionChain([]);

function secondRound(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
): void | Promise<void> {
  const { reinvocation } = attributes;
  if (!reinvocation?.isWanted || reinvocation.isSecondRound) return;
  reinvocation.isSecondRound = true;
  return runPhase(plugins, 'mutate', attributes, 0);
}

/** Plugins one after the other; a promise only from the first that needs one. */
function runPhase(
  plugins: readonly AdmissionPlugin[],
  phase: Phase,
  attributes: AdmissionAttributes,
  from: number,
): void | Promise<void> {
  for (let at = from; at < plugins.length; at++) {
    const plugin = plugins[at]!;
    const { observer } = attributes;
    const done =
      observer === undefined
        ? plugin[phase]!(attributes)
        : runStep(observer, `admission/${phase}/${plugin.name}`, () => plugin[phase]!(attributes));
    if (done instanceof Promise) return done.then(() => runPhase(plugins, phase, attributes, at + 1));
  }
}
