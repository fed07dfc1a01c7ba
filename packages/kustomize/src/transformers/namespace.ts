/** Sets the namespace of namespaced objects, and of references to them. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { FieldSpec } from '../configuration/field-spec.ts';
import { prefixed, within } from '../failure.ts';
import { helmGeneratedAnnotation } from '../resources/annotations.ts';
import { isClusterScoped } from '../resources/gvk.ts';
import { apiVersionOfNode, gvkOf, kindOf } from '../resources/metadata.ts';
import { sameId } from '../resources/resource-id.ts';
import { isMissingOrNull, isNilOrEmpty, scalar, stringTag, type YamlNode } from '../yaml/node.ts';
import { InvalidNodeKind, itemsOf, setScalar } from '../yaml/fields.ts';
import { lookup, lookupCreate } from '../yaml/path.ts';
import { applyFieldSpec, applyFieldSpecs } from './apply-field-spec.ts';
import type { Transformer } from './transformer.ts';

export interface NamespaceOptions {
  readonly unsetOnly?: boolean;
  /** Which subjects of role bindings are changed: `defaultOnly` (if unset), `allServiceAccounts`, `none`. */
  readonly setRoleBindingSubjects?: string;
}

const subjectModes = ['defaultOnly', 'none', 'allServiceAccounts'] as const;

export function setNamespaces(
  namespace: string,
  specs: readonly FieldSpec[],
  options: NamespaceOptions = {},
): Transformer {
  const mode = options.setRoleBindingSubjects ?? '';
  if (mode !== '' && !(subjectModes as readonly string[]).includes(mode)) {
    const [first, second, third] = subjectModes.map((one) => goQuote(one));
    throw new Error(
      `invalid value ${goQuote(mode)} for setRoleBindingSubjects: must be one of ${first}, ${second} or ${third}`,
    );
  }
  return (map) => {
    if (namespace === '') return;
    for (const resource of map.resources) {
      if (resource.isEmpty || resource.annotations[helmGeneratedAnnotation] === 'true') continue;
      resource.rememberId();
      moveToNamespace(resource.node, namespace, specs, options);
      const id = resource.id;
      const matches = map.byCurrentId((other) => sameId(id, other));
      if (matches.length !== 1) {
        const shown = matches.map((one) => JSON.stringify(one.toJson())).join(' ');
        throw new Error(`namespace transformation produces ID conflict: [${shown}]`);
      }
    }
  };
}

/** Without `specs`, only the object's own namespace and its subjects are set. */
export function moveToNamespace(
  node: YamlNode,
  namespace: string,
  specs: readonly FieldSpec[],
  { unsetOnly = false, setRoleBindingSubjects = '' }: NamespaceOptions = {},
): void {
  const set = (target: YamlNode) => {
    if (unsetOnly && !isNilOrEmpty(target) && target.value !== '') return;
    setScalar(target, scalar(namespace, stringTag));
  };
  const isBinding = ['RoleBinding', 'ClusterRoleBinding'].includes(kindOf(node));
  const isCore = apiVersionOfNode(node) === 'v1';
  if (!isClusterScoped(gvkOf(node))) {
    applyFieldSpec(node, { path: 'metadata/namespace', create: true }, { set, createKind: 'scalar' });
  }
  if (isBinding) moveSubjects(node, setRoleBindingSubjects, set);
  const used = specs.filter(
    ({ path, kind = '' }) =>
      path !== 'metadata/namespace' &&
      (isCore || path !== 'metadata/name') &&
      !(isBinding && path === 'subjects/namespace' && /^(?:Cluster)?RoleBinding$/.test(kind)),
  );
  try {
    applyFieldSpecs(node, used, { set, createKind: 'scalar', createTag: stringTag });
  } catch (failure) {
    throw prefixed(contextOf(failure), failure);
  }
}

function contextOf(failure: unknown): string {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof InvalidNodeKind) return 'namespace field specs must target scalar nodes';
  }
  return 'namespace transformation failed';
}

function moveSubjects(node: YamlNode, mode: string, set: (target: YamlNode) => void): void {
  if (mode === 'none') return;
  const [field, value] = mode === 'allServiceAccounts' ? ['kind', 'ServiceAccount'] : ['name', 'default'];
  const subjects = lookup(node, ['subjects']);
  if (isMissingOrNull(subjects)) return;
  within('setting namespace on (cluster)role binding subjects', () => {
    for (const subject of itemsOf(subjects as YamlNode)) {
      const found = within(`looking up ${field} on (cluster)role binding subject`, () =>
        lookup(subject, [field as string]),
      );
      if (found?.value !== value) continue;
      set(lookupCreate(subject, ['namespace'], 'scalar') as YamlNode);
    }
  });
}
