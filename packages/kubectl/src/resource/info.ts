import type { KubeObject } from '@coxswain/apimachinery';
import type { ResourceMapping } from '../mapping.ts';

/** An object, or a reference to one, as it passes through a command. */
export interface Info {
  /** Undefined for objects that were never looked up on a server. */
  readonly mapping: ResourceMapping | undefined;
  readonly namespace: string;
  readonly name: string;
  /** The file or URL from which it was read. */
  readonly source: string;
  readonly subresource: string;
  readonly object: KubeObject | undefined;
}

/** @throws Error if the object was never looked up */
export function mappingOf(info: Info): ResourceMapping {
  if (info.mapping === undefined) throw new Error('the server was not asked about this object');
  return info.mapping;
}

export function objectOf(info: Info): KubeObject {
  if (info.object === undefined) throw new Error(`no object was read for "${info.name}"`);
  return info.object;
}

/** `pods "web"` */
export const isList = (object: unknown): object is { items: KubeObject[] } =>
  typeof object === 'object' && object !== null && Array.isArray((object as { items?: unknown }).items);

/** Returns the info with the server's current object. */
export const refreshed = (info: Info, object: KubeObject): Info => ({
  ...info,
  object,
  name: object.metadata?.name ?? info.name,
  namespace: object.metadata?.namespace ?? info.namespace,
});
