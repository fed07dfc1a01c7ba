/** An object as written, with its location. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface Manifest {
  readonly source: ManifestSource;
  /** The line, from 1, where its document begins in the source. */
  readonly line: number;
  /** The text of the document; empty for a kustomization, which has none. */
  readonly text: string;
  /** Its place in the document: `['items', 2]` in a list. */
  readonly path: readonly (string | number)[];
  /** Has `apiVersion` and `kind`; nothing else has been checked. */
  readonly object: KubeObject;
}

export interface ManifestSource {
  /** A file, a directory of a kustomization, or `stdin`. */
  readonly name: string;
  /** The template that rendered it, according to helm's comment: `shop/templates/web.yaml`. */
  readonly template?: string;
}

/** `Deployment shop/web`, as far as these fields are present. */
export function manifestTitle({ object }: Manifest): string {
  const { name, generateName, namespace } = (object.metadata ?? {}) as Partial<KubeObject['metadata']>;
  const called = name ?? (generateName === undefined ? '' : `${generateName}*`);
  return [object.kind, [namespace, called].filter(Boolean).join('/')].filter(Boolean).join(' ');
}

export const groupOf = ({ apiVersion = '' }: Pick<KubeObject, 'apiVersion'>): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
