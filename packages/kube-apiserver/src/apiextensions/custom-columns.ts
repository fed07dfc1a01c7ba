/** The additional printer columns of a CustomResourceDefinition. */
import { compileJsonPath, valueText, type JsonPath } from '@coxswain/apimachinery/jsonpath/evaluate.ts';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import type { CustomResourceColumnDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import type { Cell, Column } from '@coxswain/schema';
import type { AnyObject } from '../groups/any-object.ts';

const nameColumn: Column<AnyObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  cell: ({ metadata }) => metadata.name ?? '',
};

/** The limit per row: enough for listing every value of a large object, but not for nested descents. */
const visitsMax = 100_000;
/** A cell has at least this many, however many columns share a row. */
const visitsOfCellMin = 1_000;

const age: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'When the object was created, by the clock of the server.',
  jsonPath: '.metadata.creationTimestamp',
};

/** An invalid path ends the table's columns. */
export function customColumns(
  definitions: readonly CustomResourceColumnDefinition[] = [age],
): readonly Column<AnyObject>[] {
  const columns = [nameColumn];
  for (const definition of definitions) {
    const path = pathOf(definition, Math.max(visitsOfCellMin, visitsMax / definitions.length));
    if (path === undefined) break;
    columns.push(columnOf(definition, path));
  }
  return columns;
}

/** The columns of `/scale`. */
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

function pathOf({ jsonPath }: CustomResourceColumnDefinition, visitsMax: number): JsonPath | undefined {
  try {
    return compileJsonPath(`{${jsonPath}}`, { allowMissingKeys: true, visitsMax });
  } catch {
    return undefined;
  }
}

function columnOf(
  { name, type, format, description, priority, jsonPath }: CustomResourceColumnDefinition,
  path: JsonPath,
): Column<AnyObject> {
  return {
    name,
    type: type as Column<AnyObject>['type'],
    ...(format ? { format } : {}),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority ? { priority } : {}),
    cell: (object: AnyObject, nowMs: number): Cell => {
      const first = firstOf(path, object);
      return first === undefined ? undefined : cellOf(type, first.value, nowMs);
    },
  };
}

/** The first result of the path; undefined for a path that doesn't fit the object. */
function firstOf(path: JsonPath, object: AnyObject): { readonly value: unknown } | undefined {
  try {
    const [values = []] = path.find(object);
    return values.length === 0 ? undefined : { value: values[0] };
  } catch {
    return undefined;
  }
}

function cellOf(type: string, value: unknown, nowMs: number): Cell {
  // Upstream treats null as untyped and prints it this way in string columns.
  if (type === 'string') return valueText(value ?? undefined);
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? integerOf(value) : typeof value === 'bigint' ? value : undefined;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'date':
      return typeof value === 'string' ? ageOf(value, nowMs) : undefined;
    default:
      return undefined;
  }
}

const int64Min = -(2n ** 63n);

/** An overflow becomes the smallest integer, as upstream on most processors. */
const integerOf = (value: number): number | bigint =>
  Math.abs(value) < Number(-int64Min) ? Math.trunc(value) : int64Min;

function ageOf(text: string, nowMs: number): string {
  try {
    return timeSince(text === 'null' ? '' : text, nowMs);
  } catch {
    return '<invalid>';
  }
}
