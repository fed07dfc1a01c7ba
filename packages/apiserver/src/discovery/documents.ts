/** The discovery documents of one server: those of groups, and the resource lists of their versions. */
import { APIGroup } from '@coxswain/api/meta/v1/api-group.ts';
import { APIResourceList } from '@coxswain/api/meta/v1/api-resource-list.ts';
import type { ApiGroup } from '../api-group.ts';
import { methodNotAllowedByRouter } from '../negotiation/refusals.ts';
import type { PlainHandler, PlainRoutes } from '../routing/plain-routes.ts';
import type { ServerServices } from '../services/services.ts';
import { respondDocument, type DiscoveryDocument } from './respond-document.ts';

export class DiscoveryDocuments {
  readonly #plain: PlainRoutes;
  readonly #services: ServerServices;
  readonly #paths = new Map<string, readonly string[]>();

  constructor(plain: PlainRoutes, services: ServerServices) {
    this.#plain = plain;
    this.#services = services;
  }

  /** @throws Error when a path is already taken */
  put(group: ApiGroup, resourceLists: ReadonlyMap<string, () => DiscoveryDocument>): void {
    const root = group.name === '' ? '/api' : `/apis/${group.name}`;
    const paths: string[] = [];
    const add = (path: string, handler: PlainHandler) => {
      this.#plain.addRouted(path, handler);
      paths.push(path);
    };
    if (group.name !== '') {
      // The aggregator bypasses its router for all groups but its own, and allows at most one trailing slash.
      const isRouted = group.name === 'apiregistration.k8s.io';
      add(root, (request) => {
        const isPassedOn = request.info.path.endsWith('//');
        if (isPassedOn && request.method !== 'GET') throw methodNotAllowedByRouter();
        return respondDocument(
          request,
          this.#services,
          APIGroup,
          groupDocument(group),
          isRouted || isPassedOn,
        );
      });
    }
    const isCustom = group.versions.some(({ resources }) =>
      Object.values(resources).some(({ custom }) => custom !== undefined),
    );
    for (const [version, document] of resourceLists) {
      add(`${root}/${version}`, (request) => {
        if (request.method !== 'GET') throw methodNotAllowedByRouter();
        return respondDocument(request, this.#services, APIResourceList, document(), !isCustom);
      });
    }
    this.#paths.set(group.name, paths);
  }

  remove(groupName: string): void {
    for (const path of this.#paths.get(groupName) ?? []) this.#plain.remove(path);
    this.#paths.delete(groupName);
  }
}

/** The `APIGroup` document, with versions in order of preference. */
export function groupDocument(group: ApiGroup): DiscoveryDocument {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

export function groupEntry({ name, versions }: ApiGroup): object {
  const described = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return {
    name,
    versions: described,
    ...(described[0] === undefined ? undefined : { preferredVersion: described[0] }),
  };
}
