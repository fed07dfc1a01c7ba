/** Adapts the client library's discovery for commands. */
import type { DiscoveryClient } from '@coxswain/client/discovery/discovery-client.ts';
import { NoMatchError, restMapper, type RestMapper } from '@coxswain/client/discovery/rest-mapper.ts';
import type { ApiResource, Discovered } from '@coxswain/client/discovery/discovered.ts';
import { runStep, type StepObserver } from '@coxswain/apimachinery';
import { NoKindMatch, NoResourceMatch } from '../errors.ts';
import type { DiscoveredMapper, ResourceMapping } from '../mapping.ts';

export interface MapperOptions {
  warn(text: string): void;
  /** Converts errors of the transport to messages for users. */
  explain(failure: unknown): unknown;
  readonly observer?: StepObserver | undefined;
}

export function resourceMapper(discovery: DiscoveryClient, options: MapperOptions): DiscoveredMapper {
  let known: Promise<{ readonly discovered: Discovered; readonly mapper: RestMapper }> | undefined;
  const ask = async () => {
    try {
      const discovered = await runStep(options.observer, 'discovery', () => discovery.discover());
      return { discovered, mapper: restMapper(discovered, options.warn) };
    } catch (failure) {
      throw options.explain(failure);
    }
  };
  const state = () => (known ??= ask());
  const invalidate = () => {
    discovery.invalidate();
    known = undefined;
  };
  /** A resource missing from the cache may have been added to the server since. */
  const find = async (
    look: (mapper: RestMapper) => ApiResource,
    missing: () => Error,
  ): Promise<ResourceMapping> => {
    for (;;) {
      const { mapper } = await state();
      try {
        const mapping = mappingOf(look(mapper));
        const { group, version, resource, kind, namespaced } = mapping;
        options.observer?.note?.({ found: { group, version, resource, kind, namespaced } });
        return mapping;
      } catch (failure) {
        if (!(failure instanceof NoMatchError)) throw failure;
        if (discovery.isFresh) throw missing();
        invalidate();
      }
    }
  };
  const named = (argument: string, missing: (name: string) => Error): Promise<ResourceMapping> =>
    runStep(
      options.observer,
      'rest-mapping',
      () =>
        find(
          (mapper) => mapper.resourceFor(argument),
          () => missing(argument.split('.')[0] ?? argument),
        ),
      { argument },
    );
  return {
    invalidate,
    discover: async () => (await state()).discovered,
    forArgument: (argument) =>
      named(argument, (name) => new Error(`the server doesn't have a resource type "${name}"`)),
    forResource: (argument) =>
      named(argument, (name) => new NoResourceMatch(name, argument.split('.').slice(1).join('.'))),
    forKind: (group, kind, version) =>
      runStep(
        options.observer,
        'rest-mapping',
        () =>
          find(
            (mapper) => mapper.forKind({ group, kind }, ...(version ? [version] : [])),
            () => new NoKindMatch(kind, group, version ?? ''),
          ),
        { group, kind, version },
      ),
    all: async () => (await state()).discovered.resources.map(mappingOf),
    async inCategory(name) {
      const found = (await state()).mapper.category(name);
      return found.length === 0 ? undefined : found.map(mappingOf);
    },
  };
}

const mappingOf = (resource: ApiResource): ResourceMapping => ({
  group: resource.group,
  version: resource.version,
  kind: resource.kind,
  resource: resource.resource,
  singular: resource.singular || resource.kind.toLowerCase(),
  namespaced: resource.namespaced,
  shortNames: resource.shortNames,
  categories: resource.categories,
  verbs: resource.verbs,
});
