/** Validates plugin arguments with upstream's messages. */
import { parseDurationMs } from '@coxswain/apimachinery';
import {
  duplicateError,
  forbiddenError,
  invalidError,
  notSupportedError,
  PrintedValue,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery/field-error.ts';
import type { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { validateLabelName } from '@coxswain/apimachinery/label-selector-checks.ts';
import { takesArgs, type ArgsName, type GivenConstraint, type PluginArgs } from '../plugin-args.ts';
import { validateAddedAffinity } from './added-affinity.ts';

type Check<K extends ArgsName> = (
  args: PluginArgs[K],
  path: FieldPath,
  isFeatureOn: (gate: string) => boolean,
) => readonly FieldError[];

/** NodeResourcesFit validates its arguments when it is created: see `resources-fit-args.ts`. */
const checks: { readonly [K in Exclude<ArgsName, 'NodeResourcesFit'>]: Check<K> } = {
  DefaultPreemption: preemptionErrors,
  DynamicResources: timeoutErrors,
  InterPodAffinity: ({ hardPodAffinityWeight: weight = 0 }, path) =>
    weight < 0 || weight > 100
      ? [invalidError(path.child('hardPodAffinityWeight'), weight, 'not in valid range [0, 100]')]
      : [],
  NodeAffinity: ({ addedAffinity }, path) =>
    validateAddedAffinity(addedAffinity, path.child('addedAffinity')),
  NodeResourcesBalancedAllocation: balanceErrors,
  PodTopologySpread: spreadErrors,
  VolumeBinding: volumeErrors,
};

export function validateArgs(
  plugin: string,
  args: unknown,
  path: FieldPath,
  isFeatureOn: (gate: string) => boolean,
): readonly FieldError[] {
  if (!takesArgs(plugin) || plugin === 'NodeResourcesFit') return [];
  return checks[plugin](args as never, path, isFeatureOn);
}

function preemptionErrors(
  {
    minCandidateNodesPercentage: percentage = 0,
    minCandidateNodesAbsolute: absolute = 0,
  }: PluginArgs['DefaultPreemption'],
  path: FieldPath,
): readonly FieldError[] {
  const percentagePath = path.child('minCandidateNodesPercentage');
  const absolutePath = path.child('minCandidateNodesAbsolute');
  const both = (other: string) => `cannot be zero at the same time as ${other}`;
  return [
    ...(percentage < 0 || percentage > 100
      ? [invalidError(percentagePath, percentage, 'not in valid range [0, 100]')]
      : []),
    ...(absolute < 0 ? [invalidError(absolutePath, absolute, 'not in valid range [0, inf)')] : []),
    ...(percentage === 0 && absolute === 0
      ? [
          invalidError(percentagePath, percentage, both('minCandidateNodesAbsolute')),
          invalidError(absolutePath, absolute, both('minCandidateNodesPercentage')),
        ]
      : []),
  ];
}

const bindingTimeoutMsMin = 1000;

function timeoutErrors(
  { filterTimeout, bindingTimeout }: PluginArgs['DynamicResources'],
  path: FieldPath,
): readonly FieldError[] {
  const msOf = (text: string) => parseDurationMs(text);
  return [
    ...(filterTimeout && msOf(filterTimeout) < 0
      ? [invalidError(path.child('filterTimeout'), filterTimeout, 'must be zero or positive')]
      : []),
    ...(bindingTimeout && msOf(bindingTimeout) < bindingTimeoutMsMin
      ? [invalidError(path.child('bindingTimeout'), bindingTimeout, 'must be at least 1 second')]
      : []),
  ];
}

function balanceErrors(
  { resources = [] }: PluginArgs['NodeResourcesBalancedAllocation'],
  path: FieldPath,
): readonly FieldError[] {
  const names = resources.map(({ name }) => name);
  return resources.flatMap(({ name, weight }, index) => {
    const place = path.child('resources').index(index);
    return [
      ...(names.indexOf(name) < index ? [duplicateError(place.child('name'), name)] : []),
      ...(weight === 1 ? [] : [invalidError(place.child('weight'), weight, 'must be 1')]),
    ];
  });
}

function spreadErrors(
  { defaultingType = '', defaultConstraints = [] }: PluginArgs['PodTopologySpread'],
  path: FieldPath,
): readonly FieldError[] {
  const typePath = path.child('defaultingType');
  const types = ['System', 'List'];
  return [
    ...(types.includes(defaultingType) ? [] : [notSupportedError(typePath, defaultingType, types)]),
    ...(defaultingType === 'System' && defaultConstraints.length > 0
      ? [invalidError(typePath, defaultingType, 'when .defaultConstraints are not empty')]
      : []),
    ...defaultConstraints.flatMap((constraint, index) => [
      ...constraintErrors(constraint, path.child('defaultConstraints').index(index)),
      ...repeatedErrors(defaultConstraints, index, path.child('defaultConstraints')),
    ]),
  ];
}

function constraintErrors(
  { maxSkew, topologyKey, whenUnsatisfiable, labelSelector }: GivenConstraint,
  path: FieldPath,
): readonly FieldError[] {
  const keyPath = path.child('topologyKey');
  const actionPath = path.child('whenUnsatisfiable');
  const actions = ['DoNotSchedule', 'ScheduleAnyway'];
  const empty = 'can not be empty';
  return [
    ...(maxSkew > 0 ? [] : [invalidError(path.child('maxSkew'), maxSkew, 'not in valid range (0, inf)')]),
    ...(topologyKey === '' ? [requiredError(keyPath, empty)] : validateLabelName(topologyKey, keyPath)),
    ...((whenUnsatisfiable as string) === '' ? [requiredError(actionPath, empty)] : []),
    ...(whenUnsatisfiable && !actions.includes(whenUnsatisfiable)
      ? [notSupportedError(actionPath, whenUnsatisfiable, actions)]
      : []),
    ...(labelSelector
      ? [
          forbiddenError(
            path.child('labelSelector'),
            'constraint must not define a selector, as they deduced for each pod',
          ),
        ]
      : []),
  ];
}

function repeatedErrors(
  constraints: readonly GivenConstraint[],
  index: number,
  path: FieldPath,
): readonly FieldError[] {
  const nameOf = ({ topologyKey, whenUnsatisfiable }: GivenConstraint) =>
    `{${topologyKey}, ${whenUnsatisfiable}}`;
  const name = nameOf(constraints[index]!);
  return constraints.findIndex((one) => nameOf(one) === name) < index
    ? [duplicateError(path.index(index), name)]
    : [];
}

function volumeErrors(
  { bindTimeoutSeconds = 0, shape }: PluginArgs['VolumeBinding'],
  path: FieldPath,
  isFeatureOn: (gate: string) => boolean,
): readonly FieldError[] {
  const negative = 'invalid BindTimeoutSeconds, should not be a negative value';
  const unexpected = 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
  const printed = shape?.map(({ utilization, score }) => ({ Utilization: utilization, Score: score }));
  return [
    ...(bindTimeoutSeconds < 0
      ? [invalidError(path.child('bindTimeoutSeconds'), bindTimeoutSeconds, negative)]
      : []),
    ...(printed !== undefined && !isFeatureOn('StorageCapacityScoring')
      ? [invalidError(path.child('shape'), new PrintedValue(JSON.stringify(printed)), unexpected)]
      : []),
  ];
}
