/** Eviction: a deletion that asks the disruption budgets first. */
import { badRequest, conflict, formatTime, labelSelectorFromSpec, StatusError } from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import { servedObject } from '@coxswain/apiserver';
import type {
  ApiRequest,
  ApiResource,
  CreateOptions,
  DeleteOptions,
  ValidateObject,
} from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { Eviction } from '@coxswain/api/policy/v1/eviction.ts';
import type { PodDisruptionBudget } from '@coxswain/api/policy/v1/pod-disruption-budget.ts';
import { Eviction as EvictionV1beta1 } from '@coxswain/api/policy/v1beta1/eviction.ts';
import type { ObjectReader } from '../../../admission/object-reader.ts';
import { plainUpdate } from '../../plain-update.ts';
import { as } from '../../resource.ts';
import type { Store, Stores } from '../../stores.ts';
import { disrupted } from './disruption-budget.ts';
import { setPodCondition } from './pod-condition.ts';

export const evictionSubresource = (stores: Stores, objects: ObjectReader): ApiResource => ({
  storage: {
    kind: Eviction,
    namespaced: true,
    namedCreate: true,
    create: (request, object, options, validate, name) =>
      evict({ stores, objects, request, options, name }, as<Eviction>(object), validate),
  },
  bodyKinds: [Eviction, EvictionV1beta1],
  discoveryKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
  managedFields: false,
});

interface Context {
  readonly stores: Stores;
  readonly objects: ObjectReader;
  readonly request: ApiRequest;
  readonly options: CreateOptions;
  readonly name: string;
}

async function evict(context: Context, eviction: Eviction, validate: ValidateObject) {
  const { stores, request, options, name } = context;
  if (eviction.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const deletion = deletionOf(eviction, options);
  await validate(as<KubeObject>(eviction));
  const store = stores.of('', 'pods');
  const pod = as<Pod>((await store.main.get(request, name, { resourceVersion: '' })).object);
  checkUid(pod, deletion);
  const guarded = isPastBudgets(pod) ? deletion : await askBudgets(context, pod, deletion);
  await disruptAndDelete(store, request, name, guarded);
  return servedObject(success);
}

function checkUid({ metadata }: Pod, { preconditions }: DeleteOptions): void {
  const uid = preconditions?.uid;
  if (uid === undefined || uid === metadata.uid) return;
  throw conflict(
    { group: '', resource: 'Pod' },
    metadata.name!,
    `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
  );
}

const success = as<KubeObject>({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
});

function deletionOf({ deleteOptions }: Eviction, { dryRun }: CreateOptions): DeleteOptions {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy } = deleteOptions ?? {};
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined
      ? {}
      : { propagationPolicy: propagationPolicy as NonNullable<DeleteOptions['propagationPolicy']> }),
    dryRun: dryRun || (deleteOptions?.dryRun?.length ?? 0) > 0,
  };
}

/** Pods that do no work yet, or no more, disrupt nothing. */
const isPastBudgets = ({ metadata, status }: Pod): boolean =>
  ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '') || metadata.deletionTimestamp !== undefined;

const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

/** @returns the options of the deletion that may follow. @throws StatusError when the budget doesn't allow it */
async function askBudgets(context: Context, pod: Pod, deletion: DeleteOptions): Promise<DeleteOptions> {
  const budgets = await budgetsOf(context.objects, pod);
  if (budgets.length === 0) return deletion;
  if (budgets.length > 1) {
    throw new StatusError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const budget = budgets[0]!;
  const { currentHealthy, desiredHealthy } = budget.status;
  // A pod that isn't ready is no loss, as long as it stays as it was seen.
  const isFree =
    !isReady(pod) &&
    (budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' ||
      (currentHealthy >= desiredHealthy && desiredHealthy > 0));
  if (isFree) {
    const { resourceVersion } = pod.metadata;
    return { ...deletion, preconditions: { ...deletion.preconditions, resourceVersion: resourceVersion! } };
  }
  await spendBudget(context, budget, pod.metadata.name!, deletion.dryRun);
  return deletion;
}

async function spendBudget(
  { stores, request }: Context,
  budget: PodDisruptionBudget,
  podName: string,
  dryRun: boolean,
): Promise<void> {
  const now = formatTime(request.receivedAtMs);
  await plainUpdate(
    stores.of('policy', 'poddisruptionbudgets'),
    request,
    budget.metadata.name!,
    {},
    dryRun,
    (stored) => as<KubeObject>(disrupted(as<PodDisruptionBudget>(stored), podName, now)),
  );
}

async function budgetsOf(objects: ObjectReader, { metadata }: Pod): Promise<PodDisruptionBudget[]> {
  const resource = { group: 'policy', resource: 'poddisruptionbudgets' };
  const budgets = await objects.list<PodDisruptionBudget>(resource, metadata.namespace!);
  return budgets.filter(({ spec }) =>
    labelSelectorFromSpec(spec.selector as LabelSelectorSpec | undefined).matches(metadata.labels ?? {}),
  );
}

async function disruptAndDelete(
  store: Store,
  request: ApiRequest,
  name: string,
  options: DeleteOptions,
): Promise<void> {
  let { preconditions } = options;
  if (!options.dryRun) {
    const written = await plainUpdate(store, request, name, preconditions ?? {}, false, (pod) => {
      const { status } = as<Pod>(pod);
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
      };
      return {
        ...pod,
        status: setPodCondition(status, condition, formatTime(request.receivedAtMs)),
      } as KubeObject;
    });
    if (preconditions?.resourceVersion !== undefined) {
      preconditions = { ...preconditions, resourceVersion: written.metadata.resourceVersion! };
    }
  }
  await store.main.delete(
    request,
    name,
    { ...options, ...(preconditions && { preconditions }) },
    () => undefined,
  );
}
