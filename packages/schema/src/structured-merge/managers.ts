/** The managers of an object: the entries of managedFields. */

import { parseTime } from '../scalars/time.ts';
import { canonical, isKnownElement, isPlainElement } from './path-element.ts';
import { below, isEmptySet, leaf, self, type FieldSet } from '../field-set.ts';

export type ManagerOperation = 'Apply' | 'Update';

export interface Manager {
  readonly name: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** RFC 3339; absent for a manager that never changed a value. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** By identity: an applier is the same in all versions, an updater is separate for each version. */
export type Managers = ReadonlyMap<string, Manager>;

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: ManagerOperation;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: unknown;
  subresource?: string;
}

/** An entry from a request or a stored object, with unchecked content. */
export type UncheckedEntry = Omit<ManagedFieldsEntry, 'operation'> & { operation?: string };

/** Whether an entry of a configuration is valid at all. Upstream ignores a list with any invalid one. */
export function isReadableEntry(entry: unknown): entry is UncheckedEntry {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  const { time, ...texts } = entry as Readonly<Record<string, unknown>>;
  return (
    entryTexts.every((name) => texts[name] == null || typeof texts[name] === 'string') &&
    (time == null || (typeof time === 'string' && isTime(time)))
  );
}

const entryTexts = ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource'];

function isTime(text: string): boolean {
  try {
    parseTime(text);
    return true;
  } catch {
    return false;
  }
}

export const identityOf = ({
  name,
  operation,
  apiVersion,
  subresource,
}: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string =>
  JSON.stringify([name, operation, operation === 'Apply' ? '' : apiVersion, subresource]);

/** @throws Error with upstream's message for an invalid entry */
export function decodeManagers(entries: readonly UncheckedEntry[]): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of entries.entries()) {
    const { operation, apiVersion = '', fieldsType = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update')
      throw new Error('operation must be `Apply` or `Update`');
    if (apiVersion === '') throw new Error('apiVersion must not be empty');
    if (fieldsType === '') throw new Error(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== 'FieldsV1') {
      throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
    }
    const manager: Manager = {
      name: entry.manager ?? '',
      operation,
      apiVersion,
      subresource: entry.subresource ?? '',
      time: entry.time ?? undefined,
      fields: fieldsOf(entry.fieldsV1),
    };
    managers.set(identityOf(manager), manager);
  }
  return managers;
}

/** @throws Error for an invalid set: sets are objects within objects, under known kinds of path elements. */
function fieldsOf(fieldsV1: unknown): FieldSet {
  const set = (fieldsV1 ?? {}) as FieldSet;
  return isPlainSet(set) ? set : readSet(set);
}

/** As nearly all are, since they come from stored objects. */
function isPlainSet(set: FieldSet): boolean {
  if (typeof set !== 'object' || set === null || Array.isArray(set)) return false;
  let isOnlySelf = self in set;
  for (const element in set) {
    if (!isPlainSet(set[element]!)) return false;
    if (element === self) continue;
    if (!isPlainElement(element)) return false;
    isOnlySelf = false;
  }
  return !isOnlySelf;
}

/** Unknown kinds of elements are dropped: a later version may have them. */
function readSet(node: unknown): FieldSet {
  if (typeof node !== 'object' || Array.isArray(node)) throw new Error('error decoding set');
  const set: Record<string, FieldSet> = {};
  for (const [element, child] of Object.entries(node ?? {})) {
    if (element === self) set[self] = leaf;
    else if (isKnownElement(element)) set[element] = readSet(child);
  }
  return isEmptySet(below(set)) ? leaf : set;
}

/** In upstream's order; undefined when there is no manager. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  const owners = [...managers.values()].filter(({ fields }) => !isEmptySet(fields));
  return owners.length === 0 ? undefined : owners.sort(compareManagers).map(entryOf);
}

const entryOf = ({
  name,
  operation,
  apiVersion,
  subresource,
  time,
  fields,
}: Manager): ManagedFieldsEntry => ({
  ...(name === '' ? {} : { manager: name }),
  operation,
  apiVersion,
  ...(time === undefined ? {} : { time }),
  fieldsType: 'FieldsV1',
  fieldsV1: canonical(fields),
  ...(subresource === '' ? {} : { subresource }),
});

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
