/** The columns that a definition gives its resources. */
import { writeAny } from '@coxswain/schema/json/write.ts';
import { timeSince } from '@coxswain/api/meta/human-duration.ts';
import type { CustomResourceColumnDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import type { Cell, Column } from '@coxswain/schema';
import type { AnyObject } from '../groups/resource.ts';
import { stepsOf, valueAt } from './path-value.ts';

const nameColumn: Column<AnyObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  cell: ({ metadata }) => metadata.name ?? '',
};

const age: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'When the object was created, by the clock of the server.',
  jsonPath: '.metadata.creationTimestamp',
};

export const customColumns = (
  columns: readonly CustomResourceColumnDefinition[] | undefined,
): readonly Column<AnyObject>[] => [nameColumn, ...(columns ?? [age]).map(columnOf)];

/** Of their `/scale`. */
export const customScaleColumns: readonly Column<AnyObject>[] = customColumns([
  {
    name: 'Desired',
    type: 'integer',
    description: 'How many replicas are wanted.',
    jsonPath: '.spec.replicas',
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'How many replicas there are.',
    jsonPath: '.status.replicas',
  },
  age,
]);

function columnOf({ name, type, format, description, priority, jsonPath }: CustomResourceColumnDefinition) {
  const isReadable = isSimple(jsonPath);
  return {
    name,
    type: type as Column<AnyObject>['type'],
    ...(format ? { format } : {}),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority ? { priority } : {}),
    cell: (object: AnyObject, nowMs: number): Cell =>
      isReadable ? cellOf(type, valueAt(object, jsonPath), nowMs) : undefined,
  };
}

function isSimple(path: string): boolean {
  try {
    stepsOf(path);
    return true;
  } catch {
    return false;
  }
}

function cellOf(type: string, value: unknown, nowMs: number): Cell {
  if (value === undefined || value === null) return undefined;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'date':
      return typeof value === 'string' ? timeSince(value, nowMs) : undefined;
    default:
      return typeof value === 'object' ? writeAny(value) : String(value);
  }
}
