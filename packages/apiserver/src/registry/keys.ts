/** The keys of objects in storage: `/registry/<resource>/<namespace>/<name>`, as upstream. */
import { badRequest, checkPathSegment } from '@coxswain/apimachinery';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

export interface KeySpace {
  /** `/registry/configmaps`, without a trailing slash. */
  readonly prefix: string;
  readonly namespaced: boolean;
}

/** @throws StatusError 400 */
export function keyOf({ prefix, namespaced }: KeySpace, namespace: string, name: string): string {
  checkName(name, namespaced ? namespace : undefined);
  return namespaced ? `${prefix}/${namespace}/${name}` : `${prefix}/${name}`;
}

/**
 * Checks the name and namespace of a request; a cluster-scoped object has no namespace.
 * @throws StatusError 400
 */
export function checkName(name: string, namespace: string | undefined): void {
  if (namespace === '') throw badRequest('Namespace parameter required.');
  if (name === '') throw badRequest('Name parameter required.');
  if (needsCheck.test(name)) {
    const problems = checkPathSegment(name);
    if (problems.length > 0) {
      throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`);
    }
  }
}

/** Every invalid path segment matches this. */
const needsCheck = /[/%]|^\.\.?$/;

/** The directory of a namespace, or of the whole resource. */
export const directoryOf = ({ prefix, namespaced }: KeySpace, namespace: string): string =>
  namespaced && namespace !== '' ? `${prefix}/${namespace}/` : `${prefix}/`;
