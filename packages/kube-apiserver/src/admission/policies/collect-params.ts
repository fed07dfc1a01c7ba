/** Collects the parameters for which a binding evaluates its policy. */
import { labelSelectorFromSpec, parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import type { EquivalentResources } from '../equivalent-resources.ts';
import type { ObjectReader } from '../../object-reader.ts';
import type { ResourceMapper, ResourceMapping } from '../resource-mapper.ts';
import type { MatchingParts } from '../rule-matching.ts';
import type { ParamKind, ParamRef } from './policy-objects.ts';

/** The reason that a policy or a binding is unusable. */
export class ConfigurationProblem extends Error {}

/** @throws ConfigurationProblem for a kind that isn't served */
export function paramMapping(
  paramKind: ParamKind | undefined,
  mappingsOf: ResourceMapper,
): ResourceMapping | undefined {
  if (paramKind == null) return undefined;
  const { apiVersion = '', kind = '' } = paramKind;
  const [mapping] = mappingsOf(apiVersion, kind);
  if (mapping !== undefined) return mapping;
  const { group, version } = parseApiVersion(apiVersion);
  throw new ConfigurationProblem(
    `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`,
  );
}

/**
 * An entry `undefined`: evaluated once, without parameters. An empty list: not evaluated.
 * @throws ConfigurationProblem
 */
export async function collectParams(
  mapping: ResourceMapping | undefined,
  ref: ParamRef | undefined,
  requestNamespace: string,
  { objects, equivalents }: MatchingParts,
): Promise<readonly (KubeObject | undefined)[]> {
  if (mapping === undefined || ref == null) return [undefined];
  const stored = await selected(mapping, ref, namespaceOf(mapping, ref, requestNamespace), objects);
  const params = await Promise.all(stored.map((object) => inVersion(object, mapping, equivalents)));
  if (params.length === 0 && ref.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationProblem('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return params;
}

/** Converts from the stored version to the one that the policy states. */
async function inVersion(
  object: KubeObject,
  { resource }: ResourceMapping,
  equivalents: EquivalentResources,
): Promise<KubeObject> {
  const wanted = equivalents.formOf(resource, '');
  if (wanted === undefined || wanted.kind.apiVersion === object.apiVersion) return object;
  const forms = equivalents.equivalentsOf(resource, '');
  const stored = forms.find(({ kind }) => kind.apiVersion === object.apiVersion);
  return stored === undefined ? object : stored.convert(object, wanted);
}

function namespaceOf({ namespaced }: ResourceMapping, ref: ParamRef, requestNamespace: string): string {
  if (namespaced) {
    const namespace = ref.namespace || requestNamespace;
    if (namespace !== '') return namespace;
    throw new ConfigurationProblem(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  }
  if (ref.namespace) {
    throw new ConfigurationProblem(
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    );
  }
  return '';
}

async function selected(
  { resource }: ResourceMapping,
  { name, selector }: ParamRef,
  namespace: string,
  objects: ObjectReader,
): Promise<readonly KubeObject[]> {
  if (name) {
    if (selector != null) {
      throw new ConfigurationProblem('paramRef.name and paramRef.selector are mutually exclusive');
    }
    const param = await objects.get<KubeObject>(resource, namespace, name);
    return param === undefined ? [] : [param];
  }
  if (selector == null) throw new ConfigurationProblem('one of name or selector must be provided');
  const wanted = labelSelectorFromSpec(selector);
  const listed = await objects.list<KubeObject>(resource, namespace);
  return listed.filter(({ metadata }) => wanted.matches(metadata.labels ?? {}));
}

/** For recordings: which object a policy was evaluated with, `ConfigMap default/limits`. */
export function noteOfParam(param: KubeObject | undefined): { readonly params?: string } {
  if (param === undefined) return {};
  const { kind, metadata } = param;
  return { params: `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}` };
}
