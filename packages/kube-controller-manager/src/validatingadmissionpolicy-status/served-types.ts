/** Derives the types of a server's kinds from its OpenAPI v3 documents. */
import { apiVersionOf, parseApiVersion, type Clock, type GroupVersionKind } from '@coxswain/apimachinery';
import type { CheckedKind } from '@coxswain/api/admissionregistration/policy-type-check.ts';
import { declaredTypeOfSchema, type DeclaredType } from '@coxswain/cel';
import { discoveryClient, type RestClient } from '@coxswain/client';
import { withoutReferences, type OpenApiSchema } from './without-references.ts';

/** A rule of a policy. */
export interface MatchedRule {
  readonly apiGroups?: readonly string[] | null;
  readonly apiVersions?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
}

export interface ServedTypes {
  /** By group, version and kind; rules with a wildcard are ignored. */
  ofRules(rules: readonly MatchedRule[]): Promise<readonly CheckedKind[]>;
  /** Undefined if the kind isn't served. */
  ofKind(kind: { readonly apiVersion?: string; readonly kind?: string }): Promise<DeclaredType | undefined>;
}

/** The limit for a single rule; reaching it ends the search. */
const kindsMax = 10;

/** Results are cached: create a new instance to see changes. */
export function servedTypes(rest: RestClient, clock: Clock): ServedTypes {
  const discovery = discoveryClient(rest);
  const documents = new Map<string, Promise<Readonly<Record<string, OpenApiSchema>>>>();
  const schemasOf = (groupVersion: string) => {
    let found = documents.get(groupVersion);
    if (found === undefined) documents.set(groupVersion, (found = readSchemas(rest, groupVersion)));
    return found;
  };
  const typeOf = async (kind: GroupVersionKind): Promise<DeclaredType | undefined> => {
    const schemas = await schemasOf(apiVersionOf(kind));
    const schema = Object.values(schemas).find((one) => isOf(one, kind));
    if (schema === undefined) return undefined;
    const name = `${kind.kind}${(clock.now() % 1000) * 1_000_000}`;
    return declaredTypeOfSchema(withoutReferences(schema, schemas), { name, isResourceRoot: true });
  };
  return {
    async ofRules(rules) {
      const { resources } = await discovery.discover();
      const kinds = new Map<string, GroupVersionKind>();
      for (const rule of rules) {
        const wanted = wantedOf(rule);
        const found = wanted.flatMap((one) =>
          resources.filter(
            ({ group, version, resource }) =>
              group === one.group && version === one.version && resource === one.resource,
          ),
        );
        for (const kind of found.slice(0, kindsMax)) kinds.set(textOf(kind), kind);
        if (found.length >= kindsMax) break;
      }
      const checked: CheckedKind[] = [];
      for (const [text, kind] of [...kinds].sort(([, one], [, other]) => compareKinds(one, other))) {
        const type = await typeOf(kind);
        if (type !== undefined) checked.push({ text, type });
      }
      return checked;
    },
    ofKind: ({ apiVersion = '', kind = '' }) => typeOf({ ...parseApiVersion(apiVersion), kind }),
  };
}

const textOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}, Kind=${kind}`;

function compareKinds(one: GroupVersionKind, other: GroupVersionKind): number {
  for (const part of ['group', 'version', 'kind'] as const) {
    if (one[part] !== other[part]) return one[part] < other[part] ? -1 : 1;
  }
  return 0;
}

function wantedOf({ apiGroups, apiVersions, resources }: MatchedRule) {
  const [groups, versions] = [apiGroups ?? [], apiVersions ?? []];
  if ([...groups, ...versions].some((text) => text.includes('*'))) return [];
  const plain = (resources ?? []).filter((text) => !/[*/]/.test(text));
  return groups
    .toSorted()
    .flatMap((group) =>
      versions
        .toSorted()
        .flatMap((version) => plain.toSorted().map((resource) => ({ group, version, resource }))),
    );
}

const isOf = (schema: OpenApiSchema, { group, version, kind }: GroupVersionKind): boolean =>
  schema['x-kubernetes-group-version-kind']?.some(
    (one) => one.group === group && one.version === version && one.kind === kind,
  ) ?? false;

async function readSchemas(
  rest: RestClient,
  groupVersion: string,
): Promise<Readonly<Record<string, OpenApiSchema>>> {
  const path = groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`;
  try {
    const document = await rest.request<{
      components?: { schemas?: Readonly<Record<string, OpenApiSchema>> };
    }>({ verb: 'GET', path: `/openapi/v3/${path}`, accept: 'application/json' });
    return document.components?.schemas ?? {};
  } catch {
    // Without a document, expressions can't be checked.
    return {};
  }
}
