/** A write as policies see it: in the version that they require, with its namespace and variables. */
import { notFound, type KubeObject } from '@coxswain/apimachinery';
import type { AdmissionAttributes, Authorizer } from '@coxswain/apiserver';
import type { Value } from '@coxswain/cel';
import type { EquivalentForm } from '../equivalent-resources.ts';
import { ExpressionAuthorizer } from '../expression-authorizer.ts';
import { expressionVariables, type ExpressionVariables } from '../expression-variables.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';
import type { ResourceMapper } from '../resource-mapper.ts';
import type { MatchedRequest, MatchingParts } from '../rule-matching.ts';
import { jsonValue } from './policy-activation.ts';

export interface PolicyParts extends MatchingParts {
  readonly authorizer: Authorizer;
  readonly mappingsOf: ResourceMapper;
}

export class PolicyRequest {
  readonly attributes: AdmissionAttributes;
  readonly authorizer: ExpressionAuthorizer;
  readonly #parts: PolicyParts;
  #namespace: Promise<Value> | undefined;

  constructor(attributes: AdmissionAttributes, parts: PolicyParts) {
    this.attributes = attributes;
    this.#parts = parts;
    this.authorizer = new ExpressionAuthorizer(parts.authorizer, attributes);
  }

  /** Null when the request has no namespace, or is for a Namespace itself. @throws StatusError 404 */
  namespaceObject(): Promise<Value> {
    return (this.#namespace ??= namespaceObject(this.attributes, this.#parts.objects));
  }

  /** @param object in the version that matched */
  variables(
    matched: MatchedRequest,
    object: KubeObject | undefined,
    oldObject: KubeObject | undefined,
  ): ExpressionVariables {
    const { attributes } = this;
    return expressionVariables({ attributes, matched, object, oldObject }, this.authorizer);
  }

  formOf({ resource }: Pick<MatchedRequest, 'resource'>): EquivalentForm | undefined {
    return this.#parts.equivalents.formOf(resource, this.attributes.subresource);
  }

  /** Converts to the version that matched. @throws Error when the conversion fails */
  async converted(object: KubeObject | undefined, matched: MatchedRequest): Promise<KubeObject | undefined> {
    return object === undefined ? undefined : this.#between(object, this.attributes, matched);
  }

  /** Converts back to the request's version. */
  async convertedBack(object: KubeObject, matched: MatchedRequest): Promise<KubeObject> {
    return this.#between(object, matched, this.attributes);
  }

  async #between(
    object: KubeObject,
    { resource: from, kind }: MatchedRequest,
    { resource: to }: MatchedRequest,
  ): Promise<KubeObject> {
    if (from.group === to.group && from.version === to.version) return withTypeMeta(object, kind);
    const source = this.formOf({ resource: from });
    const target = this.formOf({ resource: to });
    return source === undefined || target === undefined ? object : source.convert(object, target);
  }
}

function withTypeMeta(object: KubeObject, { group, version, kind }: MatchedRequest['kind']): KubeObject {
  if (object.kind !== undefined && object.apiVersion !== undefined) return object;
  return { kind, apiVersion: group === '' ? version : `${group}/${version}`, ...object };
}

interface NamespaceObject extends KubeObject {
  readonly spec?: object;
  readonly status?: object;
}

async function namespaceObject(
  { namespace, kind }: AdmissionAttributes,
  objects: ObjectReader,
): Promise<Value> {
  const isNamespace = kind.kind === 'Namespace' && kind.group === '' && kind.version === 'v1';
  if (namespace === '' || isNamespace) return null;
  const found = await objects.get<NamespaceObject>(resources.namespaces, '', namespace);
  if (found === undefined) throw notFound(resources.namespaces, namespace);
  const { metadata, spec = {}, status = {} } = found;
  const { managedFields: _fields, ownerReferences: _owners, ...visible } = metadata;
  return jsonValue({ metadata: visible, spec, status });
}
