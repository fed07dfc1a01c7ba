/** `serviceaccounts/token`: issues a token for a service account, optionally bound to an object. */
import {
  badRequest,
  conflict,
  formatTime,
  goQuote,
  internalError,
  invalid,
  invalidError,
  notFound,
  type FieldError,
  type GroupResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { checkName } from '@coxswain/apiserver/registry/keys.ts';
import { servedObject, type ApiRequest, type ApiResource, type ValidateObject } from '@coxswain/apiserver';
import { TokenRequest } from '@coxswain/api/authentication/v1/token-request.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { resources } from '../../../object-reader.ts';
import {
  mountedTokenSeconds,
  type ObjectClaim,
  type TokenClaims,
  type TokenIssuer,
} from '../../../service-accounts/token-issuer.ts';
import { as } from '../../any-object.ts';
import type { Services } from '../../services.ts';
import type { Stores } from '../../resource.ts';

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const secondsMin = 10 * 60;
const secondsMax = 2 ** 32;

export const tokenSubresource = (
  stores: Stores,
  services: Services,
): Readonly<Record<string, ApiResource>> => ({
  token: {
    storage: {
      kind: TokenRequest,
      namespaced: true,
      namedCreate: true,
      create: (request, object, _options, validate, name) =>
        issue(stores, services, request, as<TokenRequest>(object), validate, name),
    },
    discoveryKind: { ...kind, version: 'v1' },
  },
});

async function issue(
  stores: Stores,
  services: Services,
  request: ApiRequest,
  wanted: TokenRequest,
  validate: ValidateObject,
  name: string,
) {
  const { tokenIssuer } = services;
  if (tokenIssuer === undefined) throw internalError('no service account signing key is configured');
  checkPlace(wanted, name, request.namespace);
  const account = (await stores.of('', 'serviceaccounts').main.get(request, name, { resourceVersion: '' }))
    .object;
  checkUid(wanted, account, services, request);
  fill(wanted, account, services.apiAudiences, request);
  const errors = durationErrors(wanted.spec.expirationSeconds ?? 3600);
  if (errors.length > 0) throw invalid(kind, '', errors);
  await validate(as<KubeObject>(wanted));
  const bound = await boundTo(services, wanted, name, request.namespace);
  return servedObject(as<KubeObject>(await signed(tokenIssuer, services, wanted, account, bound, request)));
}

function checkPlace({ metadata }: TokenRequest, name: string, namespace: string): void {
  const refuse = (field: string, value: string, what: string) => {
    throw invalid(kind, name, [
      invalidError(`metadata.${field}`, value, `must match the service account ${what} if specified`),
    ]);
  };
  if (metadata.name && metadata.name !== name) refuse('name', metadata.name, 'name');
  if (metadata.namespace && metadata.namespace !== namespace)
    refuse('namespace', metadata.namespace, 'namespace');
}

/** Before it became an error, it was an audit annotation. */
function checkUid(
  { metadata }: TokenRequest,
  account: KubeObject,
  { features }: Services,
  request: ApiRequest,
): void {
  const { name, uid } = account.metadata;
  if (!metadata.uid || metadata.uid === uid) return;
  const problem = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
  if (features.enabled('TokenRequestServiceAccountUIDValidation')) {
    throw conflict({ group: kind.group, resource: kind.kind }, name!, problem);
  }
  request.audit?.annotate('authentication.k8s.io/token-request-uid-mismatch', problem);
}

function fill(
  wanted: TokenRequest,
  account: KubeObject,
  audiences: readonly string[],
  request: ApiRequest,
): void {
  const { metadata, spec } = wanted;
  const { name, namespace, uid } = account.metadata;
  if (!spec.audiences?.length) spec.audiences = [...audiences];
  Object.assign(metadata, { name, namespace, uid, creationTimestamp: formatTime(request.receivedAtMs) });
}

const durationErrors = (seconds: number): FieldError[] => [
  ...(seconds < secondsMin
    ? [invalidError('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes')]
    : []),
  ...(seconds > secondsMax
    ? [invalidError('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds')]
    : []),
];

interface Bound {
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: { readonly name: string; readonly uid?: string };
}

const bindable: Readonly<Record<string, { readonly resource: GroupResource; readonly member: keyof Bound }>> =
  {
    Pod: { resource: resources.pods, member: 'pod' },
    Node: { resource: resources.nodes, member: 'node' },
    Secret: { resource: resources.secrets, member: 'secret' },
  };

/** The version is ignored; an apiVersion with several slashes counts as invalid. */
const isCore = (apiVersion: string): boolean =>
  apiVersion.split('/').length !== 2 || apiVersion.startsWith('/');

async function boundTo(
  services: Services,
  { spec }: TokenRequest,
  account: string,
  namespace: string,
): Promise<Bound> {
  const reference = spec.boundObjectRef;
  if (!reference) return {};
  const { apiVersion = '', kind: boundKind = '', name = '', uid } = reference;
  const target = isCore(apiVersion) ? bindable[boundKind] : undefined;
  if (target === undefined) {
    throw badRequest(`cannot bind token to object of type ${gvkText(apiVersion, boundKind)}`);
  }
  const { resource, member } = target;
  const place = member === 'node' ? undefined : namespace;
  checkName(name, place);
  const found = await services.objects.get<KubeObject>(resource, place ?? '', name);
  if (found === undefined) throw notFound(resource, name);
  const claim = { name, uid: found.metadata.uid! };
  const bound: Bound =
    member === 'pod' ? { pod: claim, ...(await nodeOf(services, found, account)) } : { [member]: claim };
  if (uid && uid !== claim.uid) {
    throw conflict(
      { group: '', resource: boundKind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return bound;
}

async function nodeOf({ objects }: Services, object: KubeObject, account: string): Promise<Bound> {
  const { spec } = as<Pod>(object);
  if (spec.serviceAccountName !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount ${goQuote(account)} to pod running with different serviceaccount name.`,
    );
  }
  const name = spec.nodeName;
  if (!name) return {};
  const uid = (await objects.get<KubeObject>(resources.nodes, '', name))?.metadata.uid;
  return { node: { name, ...(uid === undefined ? {} : { uid }) } };
}

/** Identifies the token in the audit log, both when it is issued and when it is used. */
const issuedAnnotation = 'authentication.kubernetes.io/issued-credential-id';

function credentialId(token: string): string {
  const claims = Uint8Array.fromBase64(token.split('.')[1]!, { alphabet: 'base64url' });
  return `JTI=${(JSON.parse(new TextDecoder().decode(claims)) as { jti: string }).jti}`;
}

async function signed(
  issuer: TokenIssuer,
  { apiAudiences }: Services,
  wanted: TokenRequest,
  account: KubeObject,
  bound: Bound,
  request: ApiRequest,
): Promise<TokenRequest> {
  const { spec } = wanted;
  const audiences = spec.audiences ?? [];
  let seconds = spec.expirationSeconds ?? 3600;
  if (issuer.expirationSecondsMax > 0 && seconds > issuer.expirationSecondsMax) {
    request.warn(
      `requested expiration of ${seconds} seconds shortened to ${issuer.expirationSecondsMax} seconds`,
    );
    seconds = issuer.expirationSecondsMax;
  }
  const isExtended =
    issuer.extendsExpiration &&
    bound.pod !== undefined &&
    seconds === mountedTokenSeconds &&
    audiences.every((audience) => apiAudiences.includes(audience));
  const { name, namespace, uid } = account.metadata;
  request.observer?.note?.({
    subject: `system:serviceaccount:${namespace}:${name}`,
    audiences,
    expirationSeconds: isExtended ? issuer.extendedSeconds : seconds,
    boundTo: bound,
  });
  const token = await issued(issuer, {
    namespace: namespace!,
    serviceAccount: { name: name!, uid: uid! },
    audiences,
    issuedAtSeconds: Math.floor(request.receivedAtMs / 1000),
    expirationSeconds: isExtended ? issuer.extendedSeconds : seconds,
    ...bound,
    ...(isExtended ? { warnAfterSeconds: seconds } : {}),
  });
  request.audit?.annotate(issuedAnnotation, credentialId(token));
  return {
    ...wanted,
    spec: { ...spec, expirationSeconds: seconds },
    status: { token, expirationTimestamp: formatTime(request.receivedAtMs + seconds * 1000) },
  };
}

/** An external signer may fail. */
async function issued(issuer: TokenIssuer, claims: TokenClaims): Promise<string> {
  try {
    return await issuer.issue(claims);
  } catch (failure) {
    throw internalError(`failed to generate token: ${messageOf(failure)}`);
  }
}

const gvkText = (apiVersion: string, boundKind: string): string => {
  const slash = apiVersion.indexOf('/');
  const [group, version] =
    slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  return `${group}/${version}, Kind=${boundKind}`;
};
