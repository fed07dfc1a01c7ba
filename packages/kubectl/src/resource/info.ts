import type { KubeObject } from '@coxswain/apimachinery';
import type { ResourceMapping } from '../mapping.ts';

/** An object, or the place of one, as it goes through a command. */
export interface Info {
  /** Absent for objects that never went near a server. */
  readonly mapping: ResourceMapping | undefined;
  readonly namespace: string;
  readonly name: string;
  /** The file or URL it was read from. */
  readonly source: string;
  readonly subresource: string;
  readonly object: KubeObject | undefined;
}

/** @throws Error when the object was never looked up */
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

/** The info with what the server knows of its object by now. */
export const refreshed = (info: Info, object: KubeObject): Info => ({
  ...info,
  object,
  name: object.metadata?.name ?? info.name,
  namespace: object.metadata?.namespace ?? info.namespace,
});
