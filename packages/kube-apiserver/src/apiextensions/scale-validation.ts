/** Validates the fields of a custom resource that its scale is read from. */
import { invalidError, type FieldError } from '@coxswain/apimachinery';
import type { CustomResourceSubresourceScale } from '@coxswain/api/apiextensions/v1/index.ts';
import { accessorMessage, memberAt, type Member } from './scale-path.ts';

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
