/** The descriptions of operations, in upstream's words. */

import type { GroupVersionKind } from './definitions.ts';

export type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** The object of an operation: an object of a kind, or a part of one. */
export interface OperationObject {
  readonly kind: GroupVersionKind;
  readonly part?: { readonly name: string; readonly of: GroupVersionKind };
}

export const readDescription = (object: OperationObject): string => `read ${specified(object)}`;
export const replaceDescription = (object: OperationObject): string => `replace ${specified(object)}`;
export const patchDescription = (object: OperationObject): string => `partially update ${specified(object)}`;
export const createDescription = (object: OperationObject): string => `create ${oneMore(object)}`;

export const deleteDescription = ({ kind }: OperationObject): string => `delete ${withArticle(kind.kind)}`;
export const deleteCollectionDescription = ({ kind }: OperationObject): string =>
  `delete collection of ${kind.kind}`;

export const listDescription = ({ kind }: OperationObject, mentionsWatch: boolean): string =>
  `list ${mentionsWatch ? 'or watch ' : ''}objects of kind ${kind.kind}`;

const insteadOfWatch = "deprecated: use the 'watch' parameter with a list operation instead";

export const watchDescription = (action: 'watch' | 'watchlist', { kind }: GroupVersionKind): string =>
  action === 'watch'
    ? `watch changes to an object of kind ${kind}. ${insteadOfWatch}, filtered to a single item with the 'fieldSelector' parameter.`
    : `watch individual changes to a list of ${kind}. ${insteadOfWatch}.`;

export const connectDescription = (method: HttpMethod, part: string, of: GroupVersionKind): string =>
  `connect ${method.toUpperCase()} requests to ${part} of ${of.kind}`;

const specified = ({ kind, part }: OperationObject): string =>
  part === undefined ? `the specified ${kind.kind}` : `${part.name} of the specified ${part.of.kind}`;

const oneMore = ({ kind, part }: OperationObject): string =>
  part === undefined ? withArticle(kind.kind) : `${part.name} of ${withArticle(part.of.kind)}`;

/** A kind that looks like a plural, such as Endpoints, gets no article. */
function withArticle(kind: string): string {
  if (kind.endsWith('s') && !kind.endsWith('ss')) return kind;
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}
