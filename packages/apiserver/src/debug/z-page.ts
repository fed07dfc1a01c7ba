/**
 * Debugging pages about the server itself: text for people, or an object of `config.k8s.io` for clients that request
 * `application/json;g=config.k8s.io;v=v1beta1;as=Statusz`.
 */
import { notAcceptable } from '@coxswain/apimachinery/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { textResponse, type ApiResponse } from '../http/api-response.ts';
import { parseAccept, type AcceptClause } from '../negotiation/accept.ts';
import { textForm } from '../negotiation/encode-object.ts';
import { wantsPretty } from '../negotiation/negotiate.ts';
import type { PlainHandler, PlainRoutes } from '../routing/plain-routes.ts';

export interface ZPage {
  /** `Statusz`; the path is its lower-case form. */
  readonly kind: string;
  /** The text below the heading. */
  text(): string;
  /** Members of the object besides its kind, version and name. */
  members(): object;
}

const group = 'config.k8s.io';
const versions = ['v1beta1', 'v1alpha1'];
const deprecatedVersion = 'v1alpha1';

const notice =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

/** @param component the component's name on upstream's pages */
export function installZPage(plain: PlainRoutes, page: ZPage, component = 'apiserver'): void {
  const path = `/${page.kind.toLowerCase()}`;
  const zPage: PlainHandler = (request) => answer(request, page, component);
  plain.add(path, zPage);
}

interface StructuredForm {
  readonly media: 'json' | 'yaml';
  readonly version: string;
}

type Form = { readonly media: 'text' } | StructuredForm;

function answer(request: ApiRequest, page: ZPage, component: string): ApiResponse {
  const form = formOf(request, page.kind);
  if (form.media !== 'text') return structured(request, page, component, form);
  const name = page.kind.toLowerCase();
  return textResponse(200, `\n${component} ${name}\n${notice}\n${page.text()}`);
}

function structured(
  request: ApiRequest,
  page: ZPage,
  component: string,
  { media, version }: StructuredForm,
): ApiResponse {
  if (version === deprecatedVersion) {
    request.warn(
      `This version of the ${page.kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`,
    );
  }
  const object = {
    kind: page.kind,
    apiVersion: `${group}/${version}`,
    metadata: { name: component },
    ...page.members(),
  };
  const bytes = textForm(media, wantsPretty(request), JSON.stringify(object));
  const contentType = `application/${media};g=${group};v=${version};as=${page.kind}`;
  return { status: 200, headers: { 'content-type': contentType }, body: { kind: 'bytes', bytes } };
}

/** @throws StatusError 406 */
function formOf(request: ApiRequest, kind: string): Form {
  const accept = (request.header('accept') ?? '').trim();
  if (accept === '') return { media: 'text' };
  for (const clause of parseAccept(accept)) {
    for (const offered of ['json', 'yaml', 'text'] as const) {
      const form = formFor(clause, offered, kind);
      if (form !== undefined) return form;
    }
  }
  throw notAcceptable(['application/json', 'application/yaml', 'text/plain']);
}

function formFor(
  { type, subtype, parameters }: AcceptClause,
  offered: 'json' | 'yaml' | 'text',
  kind: string,
): Form | undefined {
  const [offeredType, offeredSubtype] = offered === 'text' ? ['text', 'plain'] : ['application', offered];
  if (type !== '*' && type !== offeredType) return undefined;
  if (subtype !== '*' && subtype !== offeredSubtype) return undefined;
  const { as = '', g = '', v = '', stream = '', sv = '' } = parameters;
  if (stream !== '' || sv !== '') return undefined;
  const isPlain = as === '' && g === '' && v === '';
  if (offered === 'text') return isPlain ? { media: 'text' } : undefined;
  return as === kind && g === group && versions.includes(v) ? { media: offered, version: v } : undefined;
}
