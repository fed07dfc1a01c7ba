/** Annotations that show where a resource comes from and what changed it. */
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { printYaml } from '../yaml/print.ts';
import { emptyNode, stringScalar, type YamlNode } from '../yaml/node.ts';
import { joinPaths } from '../loading/files.ts';
import { fromJson } from '../yaml/json.ts';
import { originAnnotation, transformationsAnnotation } from './annotations.ts';
import { setAnnotations } from './metadata.ts';
import type { Resource } from './resource.ts';
import { apiVersionOf } from './gvk.ts';

export interface Origin {
  readonly path?: string;
  readonly configuredIn?: string;
  readonly configuredBy?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
}

export const originBelow = (origin: Origin, path: string): Origin => ({
  ...origin,
  path: joinPaths(origin.path ?? '', path),
});

/** The origin of changes by a built-in transformer or generator. */
export const builtinOrigin = (origin: Origin, fileName: string, kind: string): Origin => ({
  configuredIn: joinPaths(origin.path ?? '', fileName),
  configuredBy: { apiVersion: 'builtin', kind },
});

/** The origin of changes by a plugin file; undefined if that file has no origin itself. */
export function pluginOrigin(resource: Resource): Origin | undefined {
  const origin = originOf(resource);
  if (origin === undefined) return undefined;
  const { gvk, name, namespace } = resource.id;
  return {
    ...(origin.path === undefined ? {} : { configuredIn: origin.path }),
    configuredBy: {
      apiVersion: apiVersionOf(gvk),
      kind: gvk.kind,
      name,
      ...(namespace === '' ? {} : { namespace }),
    },
  };
}

export const originText = (origin: Origin): string => printYaml(originNode(origin));

export function originOf(resource: Resource): Origin | undefined {
  const text = resource.annotations[originAnnotation];
  return text === undefined ? undefined : ((readYaml(text) ?? {}) as Origin);
}

export function setOrigin(resource: Resource, origin: Origin | undefined): void {
  const annotations = resource.annotations;
  if (origin === undefined) delete annotations[originAnnotation];
  else annotations[originAnnotation] = originText(origin);
  setAnnotations(resource.node, annotations);
}

export function addTransformation(resource: Resource, origin: Origin): void {
  const annotations = resource.annotations;
  const text = annotations[transformationsAnnotation];
  const known = text === undefined ? [] : (readYaml(text) as readonly Origin[]);
  const list = emptyNode('sequence');
  list.content = [...known, origin].map(originNode);
  annotations[transformationsAnnotation] = printYaml(list);
  setAnnotations(resource.node, annotations);
}

export function clearTransformations(resource: Resource): void {
  const annotations = resource.annotations;
  delete annotations[transformationsAnnotation];
  setAnnotations(resource.node, annotations);
}

/** Members in the order of upstream's struct. */
function originNode({ path = '', configuredIn = '', configuredBy = {} }: Origin): YamlNode {
  const node = emptyNode('mapping');
  const add = (target: YamlNode, name: string, value: YamlNode) =>
    target.content.push(stringScalar(name), value);
  if (path !== '') add(node, 'path', fromJson(path));
  if (configuredIn !== '') add(node, 'configuredIn', fromJson(configuredIn));
  const by = emptyNode('mapping');
  for (const name of ['apiVersion', 'kind', 'name', 'namespace'] as const) {
    if (configuredBy[name]) add(by, name, fromJson(configuredBy[name]));
  }
  if (by.content.length > 0) add(node, 'configuredBy', by);
  return node;
}
