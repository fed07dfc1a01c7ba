/** What a custom resource has at the places that its scale is read from. */
import { invalidError } from '@coxswain/apimachinery';
import type { FieldError } from '@coxswain/apimachinery';
import type { CustomResourceSubresourceScale } from '@coxswain/api/apiextensions/v1/index.ts';

type Scale = CustomResourceSubresourceScale | null | undefined;

const replicasMax = 2 ** 31 - 1;

export function scaleErrors(scale: Scale, object: object): readonly FieldError[] {
  if (scale == null) return [];
  return [...replicaErrors(scale.specReplicasPath, object), ...scaleStatusErrors(scale, object)];
}

export function scaleStatusErrors(scale: Scale, object: object): readonly FieldError[] {
  if (scale == null) return [];
  const { labelSelectorPath: path } = scale;
  const selector = path ? memberAt(object, path) : undefined;
  const isBad = selector !== undefined && typeof selector !== 'string';
  return [
    ...replicaErrors(scale.statusReplicasPath, object),
    ...(isBad ? [invalidError(path, '', accessorMessage(path!, selector, 'string'))] : []),
  ];
}

function replicaErrors(path: string, object: object): readonly FieldError[] {
  const value = memberAt(object, path);
  if (value === undefined) return [];
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
  if (!isWhole) return [invalidError(path, 0, accessorMessage(path, value, 'int64'))];
  if (value < 0) return [invalidError(path, value, 'should be a non-negative integer')];
  return value > replicasMax
    ? [invalidError(path, value, `should be less than or equal to ${replicasMax}`)]
    : [];
}

/** A scale's path has nothing but members. */
function memberAt(object: object, path: string): unknown {
  return path
    .replace(/^\./, '')
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Readonly<Record<string, unknown>>)[name]
          : undefined,
      object,
    );
}

function accessorMessage(path: string, value: unknown, wanted: string): string {
  const shown = value === null ? '<nil>' : String(value);
  return `${path} accessor error: ${shown} is of the type ${goTypeOf(value)}, expected ${wanted}`;
}

function goTypeOf(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'float64' : 'string';
}
