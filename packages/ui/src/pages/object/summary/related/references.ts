/** What an object names: in owner references, volumes, environment, selectors and bindings. */

import { labelSelectorOfSet, type KubeObject } from '@coxswain/apimachinery';

export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined for objects of the whole cluster. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** `owner`, `volume data`, `node` */
  readonly by: string;
}

type Json = Readonly<Record<string, unknown>>;

export function referencesOf(object: KubeObject): readonly Reference[] {
  const { namespace, ownerReferences = [] } = object.metadata;
  const owners = ownerReferences.map(({ apiVersion, kind, name }) => ({
    apiVersion,
    kind,
    name,
    namespace,
    by: 'owner',
  }));
  const spec = jsonOf((object as { spec?: unknown }).spec);
  const template = jsonOf(jsonOf(spec['template'])['spec']);
  const pod = Array.isArray(spec['containers']) ? spec : template;
  return unique([
    ...owners,
    ...podReferences(pod, namespace),
    ...specReferences(spec, namespace),
    ...roleOf(object),
  ]);
}

function podReferences(spec: Json, namespace: string | undefined): readonly Reference[] {
  const found: Reference[] = [];
  const core = (kind: string, name: unknown, by: string, isNamespaced = true): void => {
    if (typeof name === 'string' && name !== '')
      found.push({ apiVersion: 'v1', kind, namespace: isNamespaced ? namespace : undefined, name, by });
  };
  core('Node', spec['nodeName'], 'node', false);
  core('ServiceAccount', spec['serviceAccountName'], 'service account');
  for (const secret of listOf(spec['imagePullSecrets'])) core('Secret', secret['name'], 'image pull secret');
  for (const volume of listOf(spec['volumes'])) {
    const by = 'volume';
    const sources = [volume, ...listOf(jsonOf(volume['projected'])['sources'])];
    for (const source of sources) {
      core('ConfigMap', jsonOf(source['configMap'])['name'], by);
      core('Secret', jsonOf(source['secret'])['secretName'] ?? jsonOf(source['secret'])['name'], by);
      core('PersistentVolumeClaim', jsonOf(source['persistentVolumeClaim'])['claimName'], by);
    }
  }
  for (const container of [...listOf(spec['initContainers']), ...listOf(spec['containers'])]) {
    for (const { valueFrom } of listOf(container['env'])) {
      core('ConfigMap', jsonOf(jsonOf(valueFrom)['configMapKeyRef'])['name'], 'environment');
      core('Secret', jsonOf(jsonOf(valueFrom)['secretKeyRef'])['name'], 'environment');
    }
    for (const from of listOf(container['envFrom'])) {
      core('ConfigMap', jsonOf(from['configMapRef'])['name'], 'environment');
      core('Secret', jsonOf(from['secretRef'])['name'], 'environment');
    }
  }
  return found;
}

function specReferences(spec: Json, namespace: string | undefined): readonly Reference[] {
  const found: Reference[] = [];
  const claim = jsonOf(spec['claimRef']);
  if (typeof claim['name'] === 'string')
    found.push({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      namespace: String(claim['namespace']),
      name: claim['name'],
      by: 'claim',
    });
  if (typeof spec['volumeName'] === 'string' && spec['volumeName'] !== '')
    found.push({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      namespace: undefined,
      name: spec['volumeName'],
      by: 'volume',
    });
  const scaled = jsonOf(spec['scaleTargetRef']);
  if (typeof scaled['name'] === 'string')
    found.push({
      apiVersion: String(scaled['apiVersion']),
      kind: String(scaled['kind']),
      namespace,
      name: scaled['name'],
      by: 'scales',
    });
  for (const rule of listOf(spec['rules']))
    for (const path of listOf(jsonOf(rule['http'])['paths'])) {
      const { name } = jsonOf(jsonOf(path['backend'])['service']);
      if (typeof name === 'string')
        found.push({ apiVersion: 'v1', kind: 'Service', namespace, name, by: 'backend' });
    }
  return found;
}

function roleOf(object: KubeObject): readonly Reference[] {
  const { roleRef } = object as { readonly roleRef?: { readonly kind?: string; readonly name?: string } };
  if (roleRef?.name === undefined || roleRef.kind === undefined) return [];
  const namespace = roleRef.kind === 'Role' ? object.metadata.namespace : undefined;
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: roleRef.kind,
      namespace,
      name: roleRef.name,
      by: 'role',
    },
  ];
}

/** Whether the selector of a Service, policy or budget takes an object with these labels. */
export function selects(selector: object, labels: Readonly<Record<string, string>> | undefined): boolean {
  const set = selector as Readonly<Record<string, string>>;
  return Object.keys(set).length > 0 && labelSelectorOfSet(set).matches(labels ?? {});
}

const jsonOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

function unique(references: readonly Reference[]): readonly Reference[] {
  const known = new Map<string, Reference>();
  for (const reference of references) {
    const key = [reference.kind, reference.namespace, reference.name].join('/');
    if (!known.has(key)) known.set(key, reference);
  }
  return [...known.values()];
}
