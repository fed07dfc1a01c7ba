/** What a custom resource has at the places that its scale is read from. */
import { invalidError } from '@coxswain/apimachinery';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';
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
  return [
    ...replicaErrors(scale.statusReplicasPath, object),
    ...(path ? textErrors(path, memberAt(object, path)) : []),
  ];
}

function textErrors(path: string, { value, stranger }: Member): readonly FieldError[] {
  if (stranger !== undefined) return [invalidError(path, '', stranger)];
  const isFit = value === undefined || typeof value === 'string';
  return isFit ? [] : [invalidError(path, '', accessorMessage(path, value, 'string'))];
}

function replicaErrors(path: string, object: object): readonly FieldError[] {
  const { value, stranger } = memberAt(object, path);
  if (stranger !== undefined) return [invalidError(path, 0, stranger)];
  if (value === undefined) return [];
  if (!isWhole(value)) return [invalidError(path, 0, accessorMessage(path, value, 'int64'))];
  if (value < 0) return [invalidError(path, value, 'should be a non-negative integer')];
  return value > replicasMax
    ? [invalidError(path, value, `should be less than or equal to ${replicasMax}`)]
    : [];
}

const isWhole = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

interface Member {
  readonly value?: unknown;
  /** What to say of something on the way that has no members. */
  readonly stranger?: string;
}

/** A scale's path has nothing but members. What is null has none, and nobody minds. */
function memberAt(object: object, path: string): Member {
  let value: unknown = object;
  let passed = '';
  for (const name of path.replace(/^\./, '').split('.')) {
    passed += `.${name}`;
    if (value === null || value === undefined) return {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      return { stranger: accessorMessage(passed, value, 'map[string]interface{}') };
    }
    if (!Object.hasOwn(value, name)) return {};
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return { value };
}

const accessorMessage = (path: string, value: unknown, wanted: string): string =>
  `${path} accessor error: ${isWhole(value) ? value : goValue(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`;

function goTypeOf(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isWhole(value) ? 'int64' : 'float64';
}
