/** The author of a policy or a binding must have permission to read the parameters that it refers to. */
import { deepEqual, forbiddenError, invalid, parseApiVersion } from '@coxswain/apimachinery';
import {
  mastersGroup,
  type AdmissionAttributes,
  type AdmissionPlugin,
  type Authorizer,
  type UserInfo,
} from '@coxswain/apiserver';
import { objectOf, oldObjectOf, on } from '../attributes.ts';
import type { ObjectReader } from '../../object-reader.ts';
import type { ResourceMapper } from '../resource-mapper.ts';
import { mutatingPolicies, validatingPolicies } from './policy-hooks.ts';
import type { AdmissionPolicy, ParamKind, PolicyBinding } from './policy-objects.ts';

export interface ParamAccessParts {
  readonly objects: ObjectReader;
  readonly authorizer: Authorizer;
  readonly mappingsOf: ResourceMapper;
}

const kinds = [mutatingPolicies, validatingPolicies];

/** Part of validation upstream: it runs before all other validating plugins and cannot be disabled. */
export const paramAccess = (parts: ParamAccessParts): AdmissionPlugin => ({
  name: 'ParamAccess',
  resources: kinds.flatMap(({ policies, bindings }) => [policies, bindings]),
  handles: on('CREATE', 'UPDATE'),
  validate(attributes) {
    if (attributes.subresource !== '' || attributes.user.groups.includes(mastersGroup)) return;
    const { resource } = attributes.resource;
    const of = kinds.find(({ bindings }) => bindings.resource === resource);
    return of === undefined
      ? checkPolicy(attributes, parts)
      : checkBinding(attributes, of.policies.resource, parts);
  },
});

async function checkPolicy(attributes: AdmissionAttributes, parts: ParamAccessParts): Promise<void> {
  const { paramKind } = objectOf<AdmissionPolicy>(attributes).spec;
  if (paramKind == null) return;
  if (deepEqual(paramKind, oldObjectOf<AdmissionPolicy | undefined>(attributes)?.spec.paramKind)) return;
  const { user } = attributes;
  const everywhere = { ...wantedOf(paramKind, parts), verb: 'get', name: '*', namespace: '*' };
  if (await mayRead(attributes, everywhere, parts)) return;
  const of = `(kind=${paramKind.kind}, apiVersion=${paramKind.apiVersion})`;
  const text = `user ${userText(user)} must have "get" permission on all objects of the referenced paramKind ${of}`;
  throw refusal(attributes, 'spec.paramKind', text);
}

async function checkBinding(
  attributes: AdmissionAttributes,
  policies: string,
  parts: ParamAccessParts,
): Promise<void> {
  const { paramRef, policyName } = objectOf<PolicyBinding>(attributes).spec;
  if (paramRef == null) return;
  const { group } = attributes.resource;
  const policy = await parts.objects.get<AdmissionPolicy>({ group, resource: policies }, '', policyName);
  const paramKind = policy?.spec.paramKind;
  const wanted = paramKind == null ? anything : wantedOf(paramKind, parts);
  const { name = '', namespace = '' } = paramRef;
  const { user } = attributes;
  const verb = name === '' ? 'list' : 'get';
  if (await mayRead(attributes, { ...wanted, verb, name, namespace }, parts)) return;
  const cannot = `user ${userText(user)} does not have "${verb}" permission`;
  const everything = `to determine minimum required permissions and ${cannot} for all groups, versions and resources`;
  const text =
    policy === undefined
      ? `unable to get policy ${policyName} ${everything}`
      : paramKind != null && wanted.resource === '*'
        ? `unable to resolve paramKind &{${paramKind.apiVersion} ${paramKind.kind}} ${everything}`
        : `${cannot} on the object referenced by paramRef`;
  throw refusal(attributes, 'spec.paramRef', text);
}

interface WantedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const anything: WantedResource = { group: '*', version: '*', resource: '*' };

/** For a kind that isn't served, permission for all resources of its group is required. */
function wantedOf(
  { apiVersion = '', kind = '' }: ParamKind,
  { mappingsOf }: ParamAccessParts,
): WantedResource {
  const { group, version } = parseApiVersion(apiVersion);
  return { group, version, resource: mappingsOf(apiVersion, kind)[0]?.resource.resource ?? '*' };
}

async function mayRead(
  { user, observer }: AdmissionAttributes,
  wanted: WantedResource & { readonly verb: string; readonly name: string; readonly namespace: string },
  { authorizer }: ParamAccessParts,
): Promise<boolean> {
  const question = { ...wanted, user, subresource: '', isResourceRequest: true, path: '', observer };
  const { kind } = await authorizer.decide(question);
  return kind === 'allow';
}

function refusal({ kind, object }: AdmissionAttributes, field: string, text: string): Error {
  return invalid(kind, object?.metadata.name ?? '', [forbiddenError(field, text)]);
}

/** As Go prints it. */
function userText({ name, uid = '', groups, extra = {} }: UserInfo): string {
  const members = Object.entries(extra)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, values]) => `${key}:[${values.join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${members.join(' ')}]}`;
}
