/** `--feature-gates`: the enabled features. */
import { aggregateText } from '@coxswain/apimachinery';
import { ownVersion, type EffectiveVersion } from '../effective-version.ts';
import { featureDependencies } from './feature-dependencies.ts';
import { gatesAt, knownFeatures } from './known-features.ts';

export interface FeatureGates {
  /** The version whose gates are used. */
  readonly version: EffectiveVersion;
  enabled(gate: string): boolean;
}

export interface GateOptions {
  /** Defaults to this program's own version. */
  readonly version?: EffectiveVersion | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** Gates that apply to all features of a stage. */
const stages: Readonly<Record<string, 'ALPHA' | 'BETA'>> = { AllAlpha: 'ALPHA', AllBeta: 'BETA' };

/** Each setting is a list of `name=bool`, where a name may be preceded by `kube:`. @throws Error in upstream's words */
export function featureGates(
  settings: readonly string[],
  { version = ownVersion, log = () => undefined }: GateOptions = {},
): FeatureGates {
  const gates = gatesAt(version.emulated);
  const chosen = chosenOf(pairsOf(settings), version, log);
  // An unknown feature has no gate anymore and is always enabled.
  const isOnByDefault = (gate: string) => !gates.has(gate) || gates.get(gate)?.isOnByDefault === true;
  const enabled = (gate: string) => chosen.get(gate) ?? isOnByDefault(gate);
  if (chosen.size > 0) checkDependencies(enabled);
  return { version, enabled };
}

function pairsOf(settings: readonly string[]): ReadonlyMap<string, boolean> {
  const pairs = new Map<string, boolean>();
  const prefixes = new Set<boolean>();
  for (const setting of settings.flatMap((text) => text.split(',')).filter((text) => text !== '')) {
    const [, component, pair = ''] = /^(?:([^:=]*):)?(.*)$/s.exec(setting)!;
    const [name = '', value] = pair.split(/=(.*)/s).map((part) => part.trim());
    if (component !== undefined && component !== 'kube') {
      throw new Error(`component not registered: ${component}`);
    }
    if (value === undefined) throw new Error(`missing bool value for ${name}`);
    prefixes.add(component === undefined);
    pairs.set(name, boolOf(name, value));
  }
  if (prefixes.size > 1) {
    throw new Error(
      'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
    );
  }
  return pairs;
}

function chosenOf(
  pairs: ReadonlyMap<string, boolean>,
  version: EffectiveVersion,
  log: (line: string) => void,
): ReadonlyMap<string, boolean> {
  const gates = gatesAt(version.emulated);
  const chosen = new Map<string, boolean>();
  const problems: string[] = [];
  for (const [name, isOn] of pairs) {
    if (!gates.has(name)) throw new Error(`unrecognized feature gate: ${name}`);
    const feature = gates.get(name);
    if (feature === undefined) {
      problems.push(tooEarly(name, isOn, version));
      continue;
    }
    const { stage, isLocked, isOnByDefault } = feature;
    if (isLocked && isOn !== isOnByDefault) {
      problems.push(`cannot set feature gate ${name} to ${isOn}, feature is locked to ${isOnByDefault}`);
      continue;
    }
    chosen.set(name, isOn);
    if (stage === 'GA' || stage === 'DEPRECATED') {
      const what = stage === 'GA' ? stage : 'deprecated';
      log(
        `Warning: setting ${what} feature gate. It will be removed in a future release. featureGate="${name}" value=${isOn}`,
      );
    }
  }
  if (problems.length > 0) throw new Error(aggregateText(problems));
  return new Map([...wholeStages(pairs, gates), ...chosen]);
}

const tooEarly = (name: string, isOn: boolean, { emulated, minCompatibility }: EffectiveVersion): string =>
  `cannot set feature gate ${name} to ${isOn}, feature is PreAlpha at emulated version 1.${emulated}, min compatibility version 1.${minCompatibility}`;

/** The effect of a gate for a whole stage; gates of individual features take precedence. */
const wholeStages = (
  pairs: ReadonlyMap<string, boolean>,
  gates: ReturnType<typeof gatesAt>,
): (readonly [string, boolean])[] =>
  Object.entries(stages).flatMap(([all, wanted]) => {
    const isOn = pairs.get(all);
    if (isOn === undefined) return [];
    return [...gates]
      .filter(([name, feature]) => feature?.stage === wanted && stages[name] === undefined)
      .map(([name]) => [name, isOn] as const);
  });

function checkDependencies(enabled: (gate: string) => boolean): void {
  const problems = Object.entries(featureDependencies).flatMap(([feature, needed]) => {
    const missing = enabled(feature) ? needed.filter((one) => !enabled(one)) : [];
    return missing.length === 0
      ? []
      : [`${feature} is enabled, but depends on features that are disabled: [${missing.join(' ')}]`];
  });
  if (problems.length > 0) throw new Error(aggregateText(problems));
}

function boolOf(name: string, text: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw new Error(
    `invalid value of ${name}=${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

/** One line of help for each gate that can be set. */
export const featureGateHelp = (): readonly string[] =>
  [...knownFeatures(ownVersion.emulated)]
    .filter(([, { stage }]) => stage === 'ALPHA' || stage === 'BETA')
    .map(
      ([name, { stage, isOnByDefault }]) => `kube:${name}=true|false (${stage} - default=${isOnByDefault})`,
    )
    .sort();
