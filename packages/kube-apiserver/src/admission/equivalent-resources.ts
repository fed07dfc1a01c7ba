/** The groups and versions that serve the same object, for `matchPolicy: Equivalent`. */
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import type { ApiGroup, ApiResource, Awaitable } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';

/** One version of a resource, or of a subresource. */
export interface EquivalentForm {
  readonly resource: GroupVersionResource;
  readonly kind: Kind;
  readonly isCustom: boolean;
  /** Converts to another form of the same object; returns a new object unless the forms are the same. */
  convert(object: KubeObject, to: EquivalentForm): Awaitable<KubeObject>;
}

export interface EquivalentResources {
  formOf(resource: GroupVersionResource, subresource: string): EquivalentForm | undefined;
  /** All forms of the object, including that of `resource`. */
  equivalentsOf(resource: GroupVersionResource, subresource: string): readonly EquivalentForm[];
}

interface ServedForm extends EquivalentForm {
  readonly served: ApiResource;
}

/** @param groups returns all served groups; a different array whenever something has changed */
export function equivalentResources(groups: () => readonly ApiGroup[]): EquivalentResources {
  let known: readonly ApiGroup[] | undefined;
  let forms: FormTable = noForms;
  const current = (): FormTable => {
    const now = groups();
    if (now !== known) [known, forms] = [now, formTable(now)];
    return forms;
  };
  return {
    formOf: (resource, subresource) => current().byPath.get(pathOf(resource, subresource)),
    equivalentsOf(resource, subresource) {
      const { keys, equivalents } = current();
      const key = keys.get(`${resource.group}/${resource.resource}`);
      return (key !== undefined && equivalents.get(`${key} ${subresource}`)) || none;
    },
  };
}

interface FormTable {
  readonly byPath: ReadonlyMap<string, ServedForm>;
  /** The storage location of each group and resource. */
  readonly keys: ReadonlyMap<string, string>;
  readonly equivalents: ReadonlyMap<string, readonly ServedForm[]>;
}

const none: readonly EquivalentForm[] = [];
const noForms: FormTable = { byPath: new Map(), keys: new Map(), equivalents: new Map() };

const pathOf = ({ group, version, resource }: GroupVersionResource, subresource: string): string =>
  `${group}/${version}/${resource}/${subresource}`;

function formTable(groups: readonly ApiGroup[]): FormTable {
  const byPath = new Map<string, ServedForm>();
  const keys = new Map<string, string>();
  const equivalents = new Map<string, ServedForm[]>();
  for (const { name: group, versions } of groups) {
    for (const { version, resources } of versions) {
      for (const [path, served] of Object.entries(resources)) {
        const [resource = '', subresource = ''] = path.split('/');
        const form = servedForm({ group, version, resource }, served);
        const key = resources[resource]?.storage.storagePrefix ?? `${resource}.${group}`;
        byPath.set(pathOf(form.resource, subresource), form);
        keys.set(`${group}/${resource}`, key);
        const same = equivalents.get(`${key} ${subresource}`);
        if (same === undefined) equivalents.set(`${key} ${subresource}`, [form]);
        else same.push(form);
      }
    }
  }
  return { byPath, keys, equivalents };
}

const servedForm = (resource: GroupVersionResource, served: ApiResource): ServedForm => ({
  resource,
  served,
  kind: served.kind ?? served.storage.kind,
  isCustom: served.custom !== undefined,
  convert(object, to) {
    const { served: target, kind } = to as ServedForm;
    if (target === served) return object;
    if (served.convertTo !== undefined && target.custom !== undefined) return served.convertTo(object, kind);
    const stored = served.conversion?.toStorage(object) ?? object;
    const converted = target.conversion?.fromStorage(stored) ?? stored;
    const { kind: name, apiVersion } = kind;
    return { ...converted, kind: name, apiVersion } as KubeObject;
  },
});
