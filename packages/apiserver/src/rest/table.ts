/** meta.k8s.io's Table: what `kubectl get` shows. */
import type { ListMeta } from '@coxswain/apimachinery';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export interface TableRow {
  readonly cells: readonly unknown[];
  /** Set by the handler as `includeObject` asks. */
  object?: unknown;
}

export interface Table {
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows: TableRow[];
  readonly metadata?: ListMeta;
}

export interface TableOptions {
  readonly includeObject: 'None' | 'Metadata' | 'Object';
  readonly noHeaders: boolean;
}
