/**
 * The links from an object to others: ownership by owner references, the rest by the fields that name or select other
 * objects.
 */

import {
  labelSelectorFromSpec,
  labelSelectorOfSet,
  parseApiVersion,
  type KubeObject,
  type LabelSelector,
  type LabelSelectorSpec,
} from '@coxswain/apimachinery';

export type Relation =
  | 'owns'
  | 'selects'
  | 'routes'
  | 'scales'
  | 'endpoint'
  | 'mounts'
  | 'reads'
  | 'pulls'
  | 'runsAs'
  | 'runsOn'
  | 'binds'
  | 'uses'
  | 'grants'
  | 'subject';

/** The identity of an object, as other objects refer to it. */
export interface ObjectName {
  readonly group: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export interface Link {
  readonly from: ObjectName;
  readonly to: ObjectName;
  readonly by: Relation;
}

/** `apps/Deployment/default/web` */
export const idOf = ({ group, kind, namespace, name }: ObjectName): string =>
  [group, kind, namespace, name].join('/');

/** An object with its group and kind, which items of a list omit. */
export interface KnownObject extends ObjectName {
  readonly object: KubeObject;
}

/** References within a pod's spec, by path; `*` stands for each item of a list. */
const namesInPods: readonly (readonly [kind: string, by: Relation, path: string])[] = [
  ['ConfigMap', 'mounts', 'volumes.*.configMap.name'],
  ['ConfigMap', 'mounts', 'volumes.*.projected.sources.*.configMap.name'],
  ['Secret', 'mounts', 'volumes.*.secret.secretName'],
  ['Secret', 'mounts', 'volumes.*.projected.sources.*.secret.name'],
  ['PersistentVolumeClaim', 'mounts', 'volumes.*.persistentVolumeClaim.claimName'],
  ...['containers', 'initContainers'].flatMap((list) => [
    ['ConfigMap', 'reads', `${list}.*.env.*.valueFrom.configMapKeyRef.name`] as const,
    ['ConfigMap', 'reads', `${list}.*.envFrom.*.configMapRef.name`] as const,
    ['Secret', 'reads', `${list}.*.env.*.valueFrom.secretKeyRef.name`] as const,
    ['Secret', 'reads', `${list}.*.envFrom.*.secretRef.name`] as const,
  ]),
  ['Secret', 'pulls', 'imagePullSecrets.*.name'],
  ['ServiceAccount', 'runsAs', 'serviceAccountName'],
  ['Node', 'runsOn', 'nodeName'],
];

/** References in other kinds, by `group/Kind`. */
const namesInKinds: Readonly<Record<string, readonly (readonly [to: string, by: Relation, path: string])[]>> =
  {
    'networking.k8s.io/Ingress': [
      ['/Service', 'routes', 'spec.rules.*.http.paths.*.backend.service.name'],
      ['/Service', 'routes', 'spec.defaultBackend.service.name'],
      ['/Secret', 'reads', 'spec.tls.*.secretName'],
      ['networking.k8s.io/IngressClass', 'uses', 'spec.ingressClassName'],
    ],
    '/PersistentVolumeClaim': [
      ['/PersistentVolume', 'binds', 'spec.volumeName'],
      ['storage.k8s.io/StorageClass', 'uses', 'spec.storageClassName'],
    ],
    '/PersistentVolume': [['storage.k8s.io/StorageClass', 'uses', 'spec.storageClassName']],
    '/ServiceAccount': [
      ['/Secret', 'reads', 'secrets.*.name'],
      ['/Secret', 'pulls', 'imagePullSecrets.*.name'],
    ],
  };

/** Full references to objects of any kind, by `group/Kind`. */
const referencesInKinds: Readonly<Record<string, readonly (readonly [by: Relation, path: string])[]>> = {
  'autoscaling/HorizontalPodAutoscaler': [['scales', 'spec.scaleTargetRef']],
  'discovery.k8s.io/EndpointSlice': [['endpoint', 'endpoints.*.targetRef']],
  'rbac.authorization.k8s.io/RoleBinding': [
    ['grants', 'roleRef'],
    ['subject', 'subjects.*'],
  ],
  'rbac.authorization.k8s.io/ClusterRoleBinding': [
    ['grants', 'roleRef'],
    ['subject', 'subjects.*'],
  ],
};

/** The paths at which an object has a pod's spec and labels. */
const podTemplates = ['', 'spec.template', 'spec.jobTemplate.spec.template'] as const;

/** Cluster-scoped kinds that other objects refer to. */
const clusterKinds: ReadonlySet<string> = new Set([
  'Node',
  'PersistentVolume',
  'StorageClass',
  'IngressClass',
  'ClusterRole',
]);

/** Exists in every namespace and is referred to by every pod. */
const isEverywhere = ({ kind, name }: ObjectName): boolean =>
  kind === 'ConfigMap' && name === 'kube-root-ca.crt';

export function linksOf(known: KnownObject): readonly Link[] {
  const { group, kind, namespace, name, object } = known;
  const from: ObjectName = { group, kind, namespace, name };
  const type = `${group}/${kind}`;
  const to = (by: Relation, toGroup: string, toKind: string, toName: unknown): Link => ({
    from,
    to: {
      group: toGroup,
      kind: toKind,
      namespace: clusterKinds.has(toKind) ? '' : namespace,
      name: String(toName),
    },
    by,
  });
  const links: Link[] = (object.metadata.ownerReferences ?? []).map((owner) => ({
    from: { group: parseApiVersion(owner.apiVersion).group, kind: owner.kind, namespace, name: owner.name },
    to: from,
    by: 'owns',
  }));
  for (const template of podTemplates)
    for (const [toKind, by, path] of namesInPods)
      for (const found of valuesAt(object, joined(template, 'spec', path)))
        links.push(to(by, '', toKind, found));
  for (const [target, by, path] of namesInKinds[type] ?? []) {
    const [toGroup = '', toKind = ''] = target.split('/');
    for (const found of valuesAt(object, path)) links.push(to(by, toGroup, toKind, found));
  }
  for (const [by, path] of referencesInKinds[type] ?? [])
    for (const found of valuesAt(object, path)) {
      const reference = referenceOf(found, from);
      if (reference !== undefined) links.push({ from, to: reference, by });
    }
  // A volume names its claim, but the relation is the same one that the claim states, so the link begins at the claim.
  for (const claim of type === '/PersistentVolume' ? valuesAt(object, 'spec.claimRef') : []) {
    const reference = referenceOf(claim, from);
    if (reference !== undefined) links.push({ from: reference, to: from, by: 'binds' });
  }
  return links.filter((link) => link.to.name !== '' && !isEverywhere(link.to));
}

/**
 * The selector of an object that selects pods: a map of labels for a Service, a label selector for policies and
 * budgets. Undefined for other kinds.
 */
export function podSelectorOf({ group, kind, object }: KnownObject): LabelSelector | undefined {
  const { spec = {} } = object as { readonly spec?: Readonly<Record<string, unknown>> };
  const spoken = spec['selector'] as LabelSelectorSpec | undefined;
  switch (`${group}/${kind}`) {
    case '/Service':
      return spec['selector'] === undefined
        ? undefined
        : labelSelectorOfSet(spec['selector'] as Readonly<Record<string, string>>);
    case 'policy/PodDisruptionBudget':
      return labelSelectorFromSpec(spoken);
    case 'networking.k8s.io/NetworkPolicy':
      return labelSelectorFromSpec((spec['podSelector'] as LabelSelectorSpec | undefined) ?? {});
    default:
      return undefined;
  }
}

/** The labels of a pod, or of the pods that an object creates. */
export function podLabelsOf({
  group,
  kind,
  object,
}: KnownObject): Readonly<Record<string, string>> | undefined {
  if (group === '' && kind === 'Pod') return object.metadata.labels ?? {};
  for (const template of podTemplates.slice(1))
    for (const metadata of valuesAt(object, joined(template, 'metadata')))
      return (metadata as KubeObject['metadata']).labels ?? {};
  return undefined;
}

interface AnyReference {
  readonly apiVersion?: string;
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

function referenceOf(value: unknown, from: ObjectName): ObjectName | undefined {
  const { apiVersion, apiGroup, kind = '', namespace, name = '' } = value as AnyReference;
  if (kind === 'User' || kind === 'Group' || kind === '' || name === '') return undefined;
  const group = apiVersion === undefined ? (apiGroup ?? '') : parseApiVersion(apiVersion).group;
  return { group, kind, namespace: clusterKinds.has(kind) ? '' : (namespace ?? from.namespace), name };
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('.');

/** The values at a path, in which `*` stands for each item of a list; empty if the path does not exist. */
function valuesAt(value: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [value];
  for (const part of path.split('.'))
    values = values.flatMap((one) => {
      if (part === '*') return Array.isArray(one) ? (one as readonly unknown[]) : [];
      const member = typeof one === 'object' ? (one as Readonly<Record<string, unknown>>)[part] : undefined;
      return member === undefined || member === null ? [] : [member];
    });
  return values;
}
