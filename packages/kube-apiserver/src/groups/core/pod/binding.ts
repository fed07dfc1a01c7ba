/** Binding: assigns a pod to a node on behalf of a scheduler. */
import {
  badRequest,
  conflict,
  aggregateFieldErrors,
  formatTime,
  goQuote,
  isStatusError,
  notFound,
  notSupportedError,
  requiredError,
  StatusError,
  type FieldError,
  type KubeObject,
} from '@coxswain/apimachinery';
import {
  servedObject,
  type ApiRequest,
  type ApiResource,
  type CreateOptions,
  type RestStorage,
  type ValidateObject,
} from '@coxswain/apiserver';
import { Binding } from '@coxswain/api/core/v1/binding.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { VirtualResource, Store } from '../../resource.ts';
import { as } from '../../any-object.ts';
import { plainUpdate } from '../../plain-update.ts';
import { setPodCondition } from './pod-condition.ts';

/** POST to `bindings`, which has the name only in the body. */
export const binding: VirtualResource = {
  name: 'bindings',
  versions: ['v1'],
  resource: (stores, { features }) => ({
    storage: { ...bindingStorage(stores.of('', 'pods'), features), namedCreate: false },
    singularName: 'binding',
    managedFields: false,
  }),
};

export const bindingSubresource = (store: Store, features: FeatureGates): ApiResource => ({
  storage: bindingStorage(store, features),
  managedFields: false,
});

const bindingStorage = (store: Store, features: FeatureGates): RestStorage => ({
  kind: Binding,
  namespaced: true,
  namedCreate: true,
  create: (request, object, options, validate, name) =>
    bind(store, features, request, as<Binding>(object), options, validate, name),
});

async function bind(
  store: Store,
  features: FeatureGates,
  request: ApiRequest,
  wanted: Binding,
  options: CreateOptions,
  validate: ValidateObject,
  name: string,
) {
  const podName = wanted.metadata.name ?? '';
  if (name !== '' && name !== podName) throw badRequest('name in URL does not match name in Binding object');
  const errors = targetErrors(wanted);
  // Upstream neglects to return 422.
  if (errors.length > 0) throw new StatusError(500, '', aggregateFieldErrors(errors));
  await validate(as<KubeObject>(wanted));
  const { uid, resourceVersion } = wanted.metadata;
  try {
    await plainUpdate(store, request, podName, { uid, resourceVersion }, options.dryRun, (pod) =>
      assigned(as<Pod>(pod), wanted, features, formatTime(request.receivedAtMs)),
    );
  } catch (failure) {
    // The error names the pod even if the request is for a binding.
    if (isStatusError(failure, 'NotFound')) throw notFound({ group: '', resource: 'pods' }, podName);
    throw failure;
  }
  return servedObject(success);
}

const success = as<KubeObject>({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
});

function targetErrors({ target }: Binding): FieldError[] {
  const kind = target?.kind ?? '';
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupportedError('target.kind', kind, ['Node', '<empty>'])]),
    ...(target?.name ? [] : [requiredError('target.name')]),
  ];
}

function assigned(
  pod: Pod,
  { metadata, target }: Binding,
  { enabled }: FeatureGates,
  now: string,
): KubeObject {
  const refuse = (reason: string) => {
    throw conflict({ group: '', resource: 'pods/binding' }, pod.metadata.name!, reason);
  };
  const { name } = pod.metadata;
  if (pod.metadata.deletionTimestamp !== undefined) {
    refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (pod.spec.nodeName) refuse(`pod ${name} is already assigned to node ${goQuote(pod.spec.nodeName)}`);
  if (pod.spec.schedulingGates?.length) refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  const { nominatedNodeName, ...bound } = pod.status;
  const isNominationOver = enabled('ClearingNominatedNodeNameAfterBinding') || nominatedNodeName == null;
  const status = isNominationOver ? bound : { ...bound, nominatedNodeName };
  const labels = enabled('PodTopologyLabelsAdmission') ? metadata.labels : undefined;
  return as<KubeObject>({
    ...pod,
    metadata: {
      ...pod.metadata,
      ...merged('annotations', pod.metadata.annotations, metadata.annotations),
      ...merged('labels', pod.metadata.labels, labels),
    },
    spec: { ...pod.spec, nodeName: target.name },
    status: setPodCondition(status, { type: 'PodScheduled', status: 'True' }, now),
  });
}

function merged(
  member: string,
  old: Record<string, string> | undefined,
  added: Record<string, string> | undefined,
) {
  return added === undefined || Object.keys(added).length === 0 ? {} : { [member]: { ...old, ...added } };
}
