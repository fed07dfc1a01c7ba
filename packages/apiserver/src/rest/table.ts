/** Renders a resource's objects as the rows of a Table (meta.k8s.io), which `kubectl get` shows. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Column, RowCondition } from '@coxswain/schema';

export interface TableSource {
  readonly columns: readonly Column<never>[];
  readonly rowConditions?: (object: never) => readonly RowCondition[];
  /** The order of a list's rows; the list's own order if unset. */
  readonly rowOrder?: (one: never, other: never) => number;
}

export interface TableOptions {
  readonly includeObject: 'None' | 'Metadata' | 'Object';
  readonly noHeaders: boolean;
}

/** For kinds without columns of their own. */
export const defaultTable: TableSource = {
  columns: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Name must be unique within a namespace.',
      cell: ({ metadata }: KubeObject) => metadata.name ?? '',
    },
    {
      name: 'Created At',
      type: 'date',
      description: 'When the object was created, by the clock of the server.',
      cell: ({ metadata }: KubeObject) => metadata.creationTimestamp ?? null,
    },
  ],
};
