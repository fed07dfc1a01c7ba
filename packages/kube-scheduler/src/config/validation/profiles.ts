import { deepEqual } from '@coxswain/apimachinery/deep-equal.ts';
import {
  duplicateError,
  invalidError,
  PrintedValue,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery/field-error.ts';
import { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { configurationVersion, type PluginSet, type SchedulerConfiguration } from '../configuration.ts';
import { validateArgs } from './plugin-args.ts';

type Profile = NonNullable<SchedulerConfiguration['profiles']>[number];

export function validateProfiles(
  profiles: readonly Profile[],
  isFeatureOn: (gate: string) => boolean,
): readonly FieldError[] {
  const path = FieldPath.of('profiles');
  const names = profiles.map(({ schedulerName = '' }) => schedulerName);
  return [
    ...profiles.flatMap((profile, index) => [
      ...profileErrors(profile, path.index(index), isFeatureOn),
      // Upstream reports the path as the value.
      ...(names.indexOf(names[index]!) < index
        ? [duplicateError(path.index(index).child('schedulerName'), new PrintedValue('{}'))]
        : []),
    ]),
    ...queueSortErrors(profiles, path),
  ];
}

export const validatePercentage = (path: FieldPath, percentage: number | undefined): readonly FieldError[] =>
  percentage === undefined || (percentage >= 0 && percentage <= 100)
    ? []
    : [invalidError(path, percentage, 'not in valid range [0-100]')];

function profileErrors(
  {
    schedulerName,
    percentageOfNodesToScore,
    plugins = {} as NonNullable<Profile['plugins']>,
    pluginConfig = [],
  }: Profile,
  path: FieldPath,
  isFeatureOn: (gate: string) => boolean,
): readonly FieldError[] {
  const sets = Object.entries(plugins).filter(([point]) => point !== 'multiPoint');
  const names = pluginConfig.map(({ name }) => name);
  return [
    ...(schedulerName ? [] : [requiredError(path.child('schedulerName'))]),
    ...validatePercentage(path.child('percentageOfNodesToScore'), percentageOfNodesToScore),
    ...sets.flatMap(([point, { enabled = [] }]) =>
      enabled.flatMap(({ name }, index) =>
        removedErrors(name, path.child('plugins', point, 'enabled').index(index)),
      ),
    ),
    ...pluginConfig.flatMap(({ name, args }, index) => {
      const place = path.child('pluginConfig').index(index);
      const removed = removedErrors(name, place);
      return [
        ...(names.indexOf(name) < index ? [duplicateError(place, name)] : []),
        ...(removed.length > 0 ? removed : validateArgs(name, args, place.child('args'), isFeatureOn)),
      ];
    }),
  ];
}

/** Plugins that existed in earlier versions. */
const removedPlugins: ReadonlySet<string> = new Set([
  'AzureDiskLimits',
  'CinderLimits',
  'EBSLimits',
  'GCEPDLimits',
]);

const removedErrors = (name: string, path: FieldPath): readonly FieldError[] =>
  removedPlugins.has(name)
    ? [
        invalidError(
          path,
          name,
          `was invalid in version "v1" (KubeSchedulerConfiguration is version "${configurationVersion}")`,
        ),
      ]
    : [];

/** All profiles share one queue and thus one order. */
function queueSortErrors(profiles: readonly Profile[], path: FieldPath): readonly FieldError[] {
  const sets = profiles.map(({ plugins }) => plugins?.queueSort ?? {});
  const [first = {}] = sets;
  const count = first.enabled?.length ?? 0;
  return [
    ...(count > 1
      ? [
          invalidError(
            path.index(0).child('plugins', 'queueSort', 'Enabled'),
            count,
            'only one queue sort plugin can be enabled',
          ),
        ]
      : []),
    ...sets.flatMap((set, index) =>
      deepEqual(set, first)
        ? []
        : [
            invalidError(
              path.index(index).child('plugins', 'queueSort'),
              new PrintedValue(printedSet(set)),
              'must be the same for all profiles',
            ),
          ],
    ),
  ];
}

/** Formatted as Go prints the struct, without JSON names. */
function printedSet({ enabled, disabled }: PluginSet): string {
  const printed = (entries: PluginSet['enabled']) =>
    entries?.map(({ name, weight = 0 }) => ({ Name: name, Weight: weight })) ?? null;
  return JSON.stringify({ Enabled: printed(enabled), Disabled: printed(disabled) });
}
