/** Finds the resources that serve a kind, built-in or custom. */
import { parseApiVersion, type GroupVersionResource } from '@coxswain/apimachinery';
import type { ApiGroup } from '@coxswain/apiserver';

export interface ResourceMapping {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
}

/** Empty for a kind that isn't served in this version. */
export type ResourceMapper = (apiVersion: string, kind: string) => readonly ResourceMapping[];

export const resourceMapper =
  (groups: () => readonly ApiGroup[]): ResourceMapper =>
  (apiVersion, kindName) => {
    const { group, version } = parseApiVersion(apiVersion);
    const served = groups()
      .find(({ name }) => name === group)
      ?.versions.find((one) => one.version === version);
    return Object.entries(served?.resources ?? {}).flatMap(([resource, { storage, kind = storage.kind }]) =>
      !resource.includes('/') && kind.kind === kindName
        ? [{ resource: { group, version, resource }, namespaced: storage.namespaced }]
        : [],
    );
  };
