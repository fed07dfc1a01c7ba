/** Negotiates the form of a response from the Accept header; results are cached by header text. */
import { notAcceptable, unsupportedMediaType } from '@coxswain/apimachinery/errors.ts';
import { StatusError } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import { unsupportedByRouter } from './refusals.ts';
import { parseAccept, type AcceptClause } from './accept.ts';
import {
  contentTypesOf,
  mediaTypes,
  parseContentType,
  streamContentTypesOf,
  type MediaType,
} from './media-type.ts';

/** A kind of meta.k8s.io that the response is converted to. */
export interface Transform {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly version: 'v1' | 'v1beta1';
}

export interface Negotiated {
  readonly type: MediaType;
  readonly pretty: boolean;
  readonly transform: Transform | undefined;
}

export interface NegotiationScope {
  readonly types: readonly MediaType[];
  /** The types in which unconverted objects are sent and accepted; `types` if unset. */
  readonly plainTypes?: readonly MediaType[];
  /** Whether upstream's router checks the headers first; true if unset. */
  readonly isRouted?: boolean;
  /** Whether the endpoint serves PartialObjectMetadata; Tables only with `tables`. */
  readonly transforms: boolean;
  readonly tables: boolean;
}

export const plainScope: NegotiationScope = { types: mediaTypes, transforms: false, tables: false };
export const resourceScope: NegotiationScope = { types: mediaTypes, transforms: true, tables: true };
/** For objects without columns: reviews and some subresources. */
export const tablelessScope: NegotiationScope = { types: mediaTypes, transforms: true, tables: false };

/** The maximum number of distinct Accept headers cached per scope; clients use few. */
const rememberedMax = 256;

const remembered = new WeakMap<NegotiationScope, Map<string, Negotiated>>();

/** @throws StatusError 406 */
export function negotiate(request: ApiRequest, scope: NegotiationScope): Negotiated {
  const accept = request.header('accept') ?? '';
  let known = remembered.get(scope);
  if (known === undefined) remembered.set(scope, (known = new Map()));
  let found = known.get(accept);
  if (found === undefined) {
    found = negotiateHeader(accept, scope);
    if (known.size >= rememberedMax) known.clear();
    known.set(accept, found);
  }
  return !found.pretty && wantsPretty(request) ? { ...found, pretty: true } : found;
}

/** As {@link negotiate}, for a watch. @throws StatusError 406 */
export function negotiateStream(request: ApiRequest, scope: NegotiationScope): Negotiated {
  const accept = request.header('accept') ?? '';
  const found = choose(accept, scope);
  if (found === undefined || !found.type.streams) throw notAcceptable(streamContentTypesOf(scope.types));
  return found;
}

function negotiateHeader(accept: string, scope: NegotiationScope): Negotiated {
  const found = choose(accept, scope);
  if (found === undefined) throw notAcceptable(contentTypesOf(scope.types));
  return found;
}

function choose(accept: string, scope: NegotiationScope): Negotiated | undefined {
  const { types } = scope;
  if (accept === '') return { type: types[0]!, pretty: false, transform: undefined };
  for (const clause of parseAccept(accept)) {
    for (const type of types) {
      if (!matches(clause, type)) continue;
      const found = accepted(clause, type, scope);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const matches = ({ type, subtype }: AcceptClause, offered: MediaType): boolean =>
  (type === 'application' && (subtype === offered.subtype || subtype === '*')) ||
  (type === '*' && subtype === '*');

function accepted(
  { parameters }: AcceptClause,
  type: MediaType,
  { transforms, tables, plainTypes }: NegotiationScope,
): Negotiated | undefined {
  const { as, g, v, stream, sv, pretty } = parameters;
  if (stream !== undefined && stream !== '' && (!type.streams || stream !== 'watch')) return undefined;
  if (sv !== undefined && sv !== '') return undefined;
  const plain = { type, pretty: pretty === '1' };
  if (!as && !g && !v) {
    return plainTypes?.includes(type) === false ? undefined : { ...plain, transform: undefined };
  }
  const transform = transforms ? transformOf(as, g, v, type) : undefined;
  if (transform?.kind === 'Table' && !tables) return undefined;
  return transform && { ...plain, transform };
}

function transformOf(as = '', group = '', version = '', type: MediaType): Transform | undefined {
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (as === 'Table') return type.media === 'protobuf' ? undefined : { kind: as, version };
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? { kind: as, version }
    : undefined;
}

const humanAgents = /^(curl|Wget|Mozilla\/5\.0)/;

/** Whether the client asked for it, or is a tool for people. */
export function wantsPretty(request: ApiRequest): boolean {
  if (request.incoming.query.includes('pretty')) {
    const text = request.parameters.get('pretty') ?? '';
    if (text !== '') return trueTexts.has(text);
  }
  const agent = request.header('user-agent');
  return agent !== undefined && humanAgents.test(agent);
}

/** The texts that Go's strconv parses as true. */
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** The media type of a body. @throws StatusError 415 */
export function negotiateBody(
  request: ApiRequest,
  { types, plainTypes = types }: Pick<NegotiationScope, 'types' | 'plainTypes'>,
): MediaType {
  const header = request.header('content-type') ?? '';
  if (header === '' || header === 'application/json') return types[0]!;
  const mediaType = parseContentType(header);
  const found = plainTypes.find(({ contentType }) => contentType === mediaType);
  if (found === undefined) throw unsupportedMediaType(contentTypesOf(types));
  return found;
}

/**
 * Upstream's router checks Accept before the server does, and more strictly: it requires a literal match or `*`.
 * @throws StatusError 406 with the router's own text
 */
export function checkRouterAccept(request: ApiRequest, produced: readonly string[]): void {
  const accept = request.header('accept');
  if (accept === undefined || accept === '' || produced.includes(accept)) return;
  for (const part of accept.split(',')) {
    const range = part.split(';')[0]!.trim();
    if (range === '*/*' || produced.includes(range)) return;
  }
  throw new StatusError(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`,
    {},
  );
}

/**
 * Upstream's router checks the type of a body even if no handler reads it.
 * @throws StatusError 415
 */
export function checkRouterContentType(request: ApiRequest, consumed: readonly string[]): void {
  const sent = request.header('content-type');
  if (sent === undefined || sent === '' || sent === 'application/json') return;
  if (sent.split(',').some((one) => consumed.includes(one.split(';')[0]!.trim()))) return;
  throw unsupportedByRouter();
}
