/** Validates the arguments of NodeResourcesFit with upstream's messages; field paths are relative to them. */
import {
  aggregateFieldErrors,
  forbiddenError,
  invalidError,
  notSupportedError,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery/field-error.ts';
import { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { validateLabelName } from '@coxswain/apimachinery/label-selector-checks.ts';
import type { PluginArgs, ShapePoint } from '../plugin-args.ts';

const strategies = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];
const byShape = 'RequestedToCapacityRatio';

/** @throws Error describing what is wrong with them */
export function validResourcesFitArgs(args: PluginArgs['NodeResourcesFit']): PluginArgs['NodeResourcesFit'] {
  const errors = errorsOf(args);
  if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
  return args;
}

function errorsOf({
  ignoredResources = [],
  ignoredResourceGroups = [],
  scoringStrategy: { type = '', resources = [], requestedToCapacityRatio } = {},
}: PluginArgs['NodeResourcesFit']): readonly FieldError[] {
  const path = FieldPath.of('scoringStrategy');
  const ratioPath = path.child('requestedToCapacityRatio');
  return [
    ...ignoredResources.flatMap((name, index) =>
      validateLabelName(name, FieldPath.of('ignoredResources').index(index)),
    ),
    ...ignoredResourceGroups.flatMap((name, index) =>
      groupErrors(name, FieldPath.of('ignoredResourceGroups').index(index)),
    ),
    ...(strategies.includes(type) ? [] : [notSupportedError(path.child('type'), type, strategies)]),
    ...resources.flatMap(({ name, weight = 0 }, index) =>
      weight > 0 && weight <= 100
        ? []
        : [
            invalidError(
              path.child('resources').index(index).child('weight'),
              weight,
              `resource weight of ${name} not in valid range (0, 100]`,
            ),
          ],
    ),
    ...(type === byShape && requestedToCapacityRatio
      ? shapeErrors(requestedToCapacityRatio.shape ?? [], ratioPath.child('shape'))
      : []),
    ...(type === byShape && !requestedToCapacityRatio
      ? [requiredError(ratioPath, `must be specified when type is ${byShape}`)]
      : []),
    ...(type !== byShape && requestedToCapacityRatio
      ? [forbiddenError(ratioPath, `must be nil when type is not ${byShape}`)]
      : []),
  ];
}

const groupErrors = (name: string, path: FieldPath): readonly FieldError[] => [
  ...(name.includes('/') ? [invalidError(path, name, "resource group name can't contain '/'")] : []),
  ...validateLabelName(name, path),
];

const utilizationMax = 100;
const shapeScoreMax = 10;

function shapeErrors(shape: readonly ShapePoint[], path: FieldPath): readonly FieldError[] {
  if (shape.length === 0) return [requiredError(path, 'at least one point must be specified')];
  const unsorted = shape.findIndex(
    ({ utilization }, index) => index > 0 && shape[index - 1]!.utilization >= utilization,
  );
  const outOf = (max: number) => `not in valid range [0, ${max}]`;
  return [
    ...(unsorted < 0
      ? []
      : [
          invalidError(
            path.index(unsorted).child('utilization'),
            shape[unsorted]!.utilization,
            'values must be sorted in increasing order',
          ),
        ]),
    ...shape.flatMap(({ utilization, score }, index) => [
      ...(utilization < 0 || utilization > utilizationMax
        ? [invalidError(path.index(index).child('utilization'), utilization, outOf(utilizationMax))]
        : []),
      ...(score < 0 || score > shapeScoreMax
        ? [invalidError(path.index(index).child('score'), score, outOf(shapeScoreMax))]
        : []),
    ]),
  ];
}
