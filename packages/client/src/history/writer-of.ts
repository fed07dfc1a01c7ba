import type { KubeObject } from '@coxswain/apimachinery';

export interface Writer {
  /** The field manager: `kubectl-client-side-apply`, `kube-controller-manager`, … */
  readonly manager: string;
  /** `Update`, `Apply`, `Update status` */
  readonly operation: string;
  readonly time: string;
}

interface Entry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsV1?: FieldTree;
}

type FieldTree = { readonly [field: string]: FieldTree };

/**
 * Determines who made a change: the manager whose managed fields changed with it or (since their times are in whole
 * seconds) contain what changed; the latest if there are several. Undefined if no manager matches: for a write by the
 * server itself, or of unmanaged fields.
 */
export function writerOf(before: KubeObject | undefined, after: KubeObject): Writer | undefined {
  const known = new Set(entriesOf(before).map((entry) => JSON.stringify(entry)));
  const entries = entriesOf(after);
  const changed = entries.filter(
    (entry) => !known.has(JSON.stringify(entry)) && hasGained(entry, entriesOf(before)),
  );
  const writers =
    changed.length > 0 ? changed : entries.filter(({ fieldsV1 = {} }) => hasChange(fieldsV1, before, after));
  const [latest] = writers.toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  if (latest === undefined) return undefined;
  const { manager = 'unknown', operation = '', subresource, time = '' } = latest;
  return { manager, operation: subresource ? `${operation} ${subresource}` : operation, time };
}

/** Determines who last wrote the desired state (`spec`), as far as managed fields tell. */
export function lastWriter(object: KubeObject): Writer | undefined {
  const [latest] = entriesOf(object)
    .filter(({ subresource, fieldsV1 = {} }) => !subresource && 'f:spec' in fieldsV1)
    .toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  return (
    latest && {
      manager: latest.manager ?? 'unknown',
      operation: latest.operation ?? '',
      time: latest.time ?? '',
    }
  );
}

/** An entry that only lost fields belongs to a manager from which another has taken them. */
function hasGained(entry: Entry, before: readonly Entry[]): boolean {
  const own = before.find(
    ({ manager, operation, subresource, apiVersion }) =>
      manager === entry.manager &&
      operation === entry.operation &&
      subresource === entry.subresource &&
      apiVersion === entry.apiVersion,
  );
  return own === undefined || own.time !== entry.time || hasMore(entry.fieldsV1 ?? {}, own.fieldsV1 ?? {});
}

const hasMore = (fields: FieldTree, known: FieldTree): boolean =>
  Object.entries(fields).some(([field, below]) => {
    const other = known[field];
    return other === undefined || hasMore(below, other);
  });

/** Whether anything in `fields` differs. Lists are compared as a whole. */
function hasChange(fields: FieldTree, before: unknown, after: unknown): boolean {
  return Object.entries(fields).some(([field, below]) => {
    if (!field.startsWith('f:')) return field !== '.' && JSON.stringify(before) !== JSON.stringify(after);
    const [a, b] = [memberOf(before, field.slice(2)), memberOf(after, field.slice(2))];
    if (JSON.stringify(a) === JSON.stringify(b)) return false;
    return Object.keys(below).length === 0 || hasChange(below, a, b);
  });
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const entriesOf = (object: KubeObject | undefined): readonly Entry[] =>
  (object?.metadata as { managedFields?: readonly Entry[] } | undefined)?.managedFields ?? [];
