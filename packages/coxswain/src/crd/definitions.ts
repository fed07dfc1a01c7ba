/** Generates CustomResourceDefinitions from interfaces marked with `@crd example.com/v1`. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { pluralOf } from '@coxswain/client';
import { declaredTypes, type Declaration, type TypeNode } from './declared-types.ts';
import { schemaOf, type Declared, type Schema } from './schema-of.ts';

export interface Definition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly [key: string]: unknown };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: Schema };
      readonly [key: string]: unknown;
    }[];
  };
}

/** Fields of every object, which a schema may not restrict. */
const ofEveryObject = new Set(['apiVersion', 'kind', 'metadata']);

/** @throws Error naming the invalid declaration */
export function definitions(source: string): readonly Definition[] {
  const all = declaredTypes(source);
  const declared: Declared = new Map(all.map((each) => [each.name, each]));
  return all.filter(({ comment }) => comment.tags.has('crd')).map((each) => definition(each, declared));
}

function definition(declaration: Declaration, declared: Declared): Definition {
  const { name: kind, comment } = declaration;
  const [, group, version, scope = 'Namespaced'] =
    /^([^\s/]+)\/(v\w+)(?:\s+(Namespaced|Cluster))?$/.exec(comment.tags.get('crd')![0]!) ?? [];
  if (group === undefined || version === undefined)
    throw new Error(`${kind}: @crd must be followed by GROUP/VERSION, and Cluster if it has no namespace`);
  const plural = comment.tags.get('plural')?.[0] ?? pluralOf(kind);
  const shortNames = comment.tags.get('shortName') ?? [];
  const categories = comment.tags.get('category') ?? [];
  const { members, schema } = openApi(declaration, declared);
  const columns = (comment.tags.get('column') ?? []).map((text) => column(text, kind));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames.length > 0 && { shortNames }),
        ...(categories.length > 0 && { categories }),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(members.includes('status') && { subresources: { status: {} } }),
          ...(columns.length > 0 && { additionalPrinterColumns: columns }),
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

function openApi({ name, comment, type }: Declaration, declared: Declared) {
  if (type.form !== 'object') throw new Error(`${name}: a kind must be an interface`);
  const members = type.members.filter((member) => !ofEveryObject.has(member.name));
  const own: TypeNode = { form: 'object', members };
  try {
    const schema = schemaOf(own, declared, [name]);
    const description = comment.description === '' ? {} : { description: comment.description };
    return { members: members.map((each) => each.name), schema: { ...description, ...schema } };
  } catch (failure) {
    throw new Error(`${name}: ${messageOf(failure)}`, { cause: failure });
  }
}

/** Parses `@column Text string .spec.text`. */
function column(text: string, kind: string): Schema {
  const [, name, type, jsonPath] = /^(\S+)\s+(\w+)\s+(\.\S+)$/.exec(text) ?? [];
  if (name === undefined)
    throw new Error(
      `${kind}: @column must be followed by a name, a type and a path, such as "Text string .spec.text"`,
    );
  return { name, type, jsonPath };
}
