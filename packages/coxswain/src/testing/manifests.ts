/** Applies manifests, as users write them, to a cluster. */

import type { KubeObject } from '@coxswain/apimachinery';
import { yamlDocuments, type YamlDocument } from '@coxswain/apimachinery/yaml/documents.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import {
  NoMatchError,
  discoveryClient,
  restMapper,
  type DiscoveryClient,
  type KubeClient,
} from '@coxswain/client';
import { withContext } from './eventually.ts';
import { shown } from './known-words.ts';
import type { Manifests } from '../../types/testing.d.ts';

export type { Manifests } from '../../types/testing.d.ts';

export const fieldManager = 'coxswain-testing';

/** @throws Error for something that is no Kubernetes object; YamlError, with the line */
export function objectsOf(manifests: Manifests): readonly KubeObject[] {
  if (typeof manifests === 'string') return yamlDocuments(manifests).flatMap(documentValue).flatMap(itemsOf);
  if (typeof manifests !== 'object' || manifests === null)
    throw new TypeError(
      `manifests must be YAML, JSON, an object or a list of objects, not ${shown(manifests)}`,
    );
  return [manifests].flat().flatMap(itemsOf);
}

/** Duplicate keys are refused, because readers would disagree on which one counts. */
function documentValue({ text, line }: YamlDocument): readonly unknown[] {
  // Lines are counted from the beginning of the whole text.
  const value = readYaml(`${'\n'.repeat(line - 1)}${text}`, { strict: true });
  return value === null ? [] : [value];
}

function itemsOf(value: unknown): readonly KubeObject[] {
  const object = value as Partial<KubeObject> & { readonly items?: readonly unknown[] };
  if (
    typeof object !== 'object' ||
    object === null ||
    object.apiVersion === undefined ||
    object.kind === undefined
  )
    throw new Error(`not a Kubernetes object (apiVersion and kind are required): ${shown(value)}`);
  if (object.kind.endsWith('List') && Array.isArray(object.items)) return object.items.flatMap(itemsOf);
  if (object.metadata?.name === undefined && object.metadata?.generateName === undefined)
    throw new Error(`${object.kind} requires metadata.name`);
  return [object as KubeObject];
}

export interface Applier {
  /**
   * Applies each object server-side in the given order; waits for kinds that a CustomResourceDefinition among them
   * adds.
   */
  apply(manifests: Manifests): Promise<readonly KubeObject[]>;
  /** Deletes each object in reverse order; missing ones are ignored. */
  remove(manifests: Manifests): Promise<void>;
}

export interface ApplierParts {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Lets the server process what was just created. */
  readonly settle: () => Promise<void>;
}

/** The number of attempts to discover a kind that was just created. */
const discoveriesMax = 20;

export function applier({ client, namespace, settle }: ApplierParts): Applier {
  const discovery = discoveryClient(client.rest);
  const resourceOf = async (object: KubeObject) => {
    const resource = await mapped(discovery, object, settle);
    const all = client.resource(resource);
    return resource.namespaced ? all.namespace(object.metadata.namespace ?? namespace) : all;
  };
  return {
    async apply(manifests) {
      const applied: KubeObject[] = [];
      for (const object of objectsOf(manifests)) {
        try {
          const resource = await resourceOf(object);
          applied.push(
            object.metadata.name === undefined
              ? await resource.create(object, { fieldManager })
              : await resource.apply(object, { fieldManager, force: true }),
          );
        } catch (failure) {
          throw aboutObject(failure, object);
        }
      }
      return applied;
    },
    async remove(manifests) {
      for (const object of objectsOf(manifests).toReversed()) {
        const resource = await resourceOf(object);
        await resource.delete(object.metadata.name ?? '').catch((error: { code?: number }) => {
          if (error.code !== 404) throw error;
        });
      }
    },
  };
}

/** Names the object in the error, unless its message does so already. */
function aboutObject(failure: unknown, { kind, metadata }: KubeObject): unknown {
  const name = metadata.name ?? metadata.generateName ?? '';
  const says = failure instanceof Error && failure.message.includes(`"${name}"`);
  return says ? failure : withContext(failure, `${kind} ${name}`);
}

async function mapped(discovery: DiscoveryClient, object: KubeObject, settle: () => Promise<void>) {
  const [group, version] = object.apiVersion!.includes('/')
    ? (object.apiVersion!.split('/') as [string, string])
    : ['', object.apiVersion!];
  for (let round = 1; ; round++) {
    const found = restMapper(await discovery.discover());
    try {
      const resource = found.forKind({ group, kind: object.kind! }, version);
      if (resource.version === version) return resource;
      throw new NoMatchError(`no matches for kind "${object.kind}" in version "${object.apiVersion}"`);
    } catch (failure) {
      if (!(failure instanceof NoMatchError) || round === discoveriesMax) throw failure;
    }
    discovery.invalidate();
    await settle();
  }
}
