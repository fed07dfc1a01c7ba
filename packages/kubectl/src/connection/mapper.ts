/** The client library's discovery, as commands ask for it. */
import { discoveryClient } from '@coxswain/client/discovery/discovery-client.ts';
import { NoMatchError, restMapper, type RestMapper } from '@coxswain/client/discovery/rest-mapper.ts';
import type { ApiResource, Discovered } from '@coxswain/client/discovery/discovered.ts';
import type { RestClient } from '@coxswain/client';
import { NoKindMatch, NoResourceMatch } from '../errors.ts';
import type { ResourceMapper, ResourceMapping } from '../resource/mapping.ts';

export interface MapperOptions {
  warn(text: string): void;
  /** Turns what a transport throws into what a user reads. */
  explain(failure: unknown): unknown;
}

export function resourceMapper(
  rest: RestClient,
  options: MapperOptions,
): ResourceMapper & { discover(): Promise<Discovered> } {
  const discovery = discoveryClient(rest);
  let known: Promise<{ readonly discovered: Discovered; readonly mapper: RestMapper }> | undefined;
  const ask = async () => {
    try {
      const discovered = await discovery.discover();
      return { discovered, mapper: restMapper(discovered, options.warn) };
    } catch (failure) {
      throw options.explain(failure);
    }
  };
  const state = () => (known ??= ask());
  const named = async (argument: string, missing: (name: string) => Error): Promise<ResourceMapping> => {
    const { mapper } = await state();
    try {
      return mappingOf(mapper.resourceFor(argument));
    } catch (failure) {
      if (failure instanceof NoMatchError) throw missing(argument.split('.')[0] ?? argument);
      throw failure;
    }
  };
  return {
    discover: async () => (await state()).discovered,
    forArgument: (argument) =>
      named(argument, (name) => new Error(`the server doesn't have a resource type "${name}"`)),
    forResource: (argument) =>
      named(argument, (name) => new NoResourceMatch(name, argument.split('.').slice(1).join('.'))),
    async forKind(group, kind, version) {
      const { mapper } = await state();
      try {
        return mappingOf(mapper.forKind({ group, kind }, ...(version ? [version] : [])));
      } catch (failure) {
        if (failure instanceof NoMatchError) throw new NoKindMatch(kind, group, version ?? '');
        throw failure;
      }
    },
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
