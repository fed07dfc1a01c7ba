/** Eviction: a deletion that respects disruption budgets. */
import {
  badRequest,
  conflict,
  formatTime,
  here,
  invalid,
  invalidError,
  isStatusError,
  labelSelectorFromSpec,
  runStep,
  StatusError,
  type Clock,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import {
  servedObject,
  type ApiRequest,
  type ApiResource,
  type CreateOptions,
  type DeleteOptions,
  type ValidateObject,
} from '@coxswain/apiserver';
import {
  checkedDeleteOptions,
  type RawDeleteOptions,
} from '@coxswain/apiserver/handlers/options/delete-options.ts';
import { localManagedFields, type LocalFieldManagement } from '@coxswain/apiserver/managed-fields.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { Eviction } from '@coxswain/api/policy/v1/eviction.ts';
import {
  PodDisruptionBudget as PodDisruptionBudgetKind,
  type PodDisruptionBudget,
} from '@coxswain/api/policy/v1/pod-disruption-budget.ts';
import { Eviction as EvictionV1beta1 } from '@coxswain/api/policy/v1beta1.ts';
import type { ObjectReader } from '../../../object-reader.ts';
import { plainUpdate } from '../../plain-update.ts';
import { as } from '../../any-object.ts';
import type { Services } from '../../services.ts';
import type { Store, Stores } from '../../resource.ts';
import { disrupted, stillProcessed } from './disruption-budget.ts';
import { setPodCondition } from './pod-condition.ts';

export const evictionSubresource = (stores: Stores, { objects, clock }: Services): ApiResource => ({
  storage: {
    kind: Eviction,
    namespaced: true,
    namedCreate: true,
    create: (request, object, options, validate, name) =>
      evict(
        { stores, objects, request, options, name, fields: budgetFields(clock) },
        as<Eviction>(object),
        validate,
      ),
  },
  bodyKinds: [Eviction, EvictionV1beta1],
  discoveryKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
});

interface Context {
  readonly stores: Stores;
  readonly objects: ObjectReader;
  readonly request: ApiRequest;
  readonly options: CreateOptions;
  readonly name: string;
  /** For the budgets' status. */
  readonly fields: LocalFieldManagement;
}

const budgetFields = (clock: Clock): LocalFieldManagement =>
  localManagedFields({
    kind: PodDisruptionBudgetKind,
    subresource: 'status',
    resetFields: [['spec']],
    apiVersions: [PodDisruptionBudgetKind.apiVersion],
    convert: undefined,
    throughStored: undefined,
    clock,
  });

async function evict(context: Context, eviction: Eviction, validate: ValidateObject) {
  const { stores, request, options, name } = context;
  if (eviction.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  if (eviction.deleteOptions?.ignoreStoreReadErrorWithClusterBreakingPotential) {
    throw invalid(Eviction, name, [invalidError(unreadablePath, true, unreadableRefusal)]);
  }
  const deletion = deletionOf(eviction, options);
  await validate(as<KubeObject>(tried(eviction, options)));
  const store = stores.of('', 'pods');
  const pod = as<Pod>((await store.main.get(request, name, { resourceVersion: '' })).object);
  const grant: Grant = isPastBudgets(pod) ? {} : await askBudgets(context, pod, deletion);
  try {
    const { preconditions = deletion.preconditions } = grant;
    await disruptAndDelete(store, request, name, { ...deletion, preconditions });
  } catch (failure) {
    const { resourceVersion } = deletion.preconditions ?? {};
    const isOvertaken = grant.budgetName !== undefined && resourceVersion === undefined;
    if (isOvertaken && isStatusError(failure, 'Conflict')) throw stillProcessed(grant.budgetName!);
    throw failure;
  }
  return servedObject(success);
}

const unreadablePath = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
const unreadableRefusal = 'can not be set for pod eviction, try after removing the option';

/** @throws StatusError 409 when the pod isn't the intended one */
function checkPreconditions({ metadata }: Pod, { preconditions }: Deletion): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const refuse = (what: string, wanted: string, there: string | undefined, since: string) =>
    conflict(
      { group: '', resource: 'Pod' },
      metadata.name!,
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${there}). The object might have been ${since}`,
    );
  if (uid && uid !== metadata.uid) throw refuse('UID', uid, metadata.uid, 'deleted and then recreated');
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw refuse('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
  }
}

/** A dry-run eviction passes dryRun on to its delete options, so that validating admission sees it. */
const tried = (eviction: Eviction, { dryRun }: CreateOptions): Eviction => {
  const { deleteOptions } = eviction;
  return dryRun && deleteOptions && !deleteOptions.dryRun?.length
    ? { ...eviction, deleteOptions: { ...deleteOptions, dryRun: ['All'] } }
    : eviction;
};

const success = as<KubeObject>({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
});

/** Invalid options are only detected after the pod was marked, as upstream. */
interface Deletion {
  readonly options: RawDeleteOptions;
  readonly dryRun: boolean;
  readonly preconditions?: DeleteOptions['preconditions'];
}

/** @throws StatusError 500 if the query asks for another dry run than the body */
function deletionOf(eviction: Eviction, { dryRun }: CreateOptions): Deletion {
  const deleteOptions: RawDeleteOptions = eviction.deleteOptions ?? {};
  const { preconditions, dryRun: inBody = [] } = deleteOptions;
  if (dryRun && inBody.length > 0 && inBody.join(' ') !== 'All') {
    const detail = `Non-matching dry-run options in request and content: [All] and [${inBody.join(' ')}]`;
    throw new StatusError(500, '', detail);
  }
  return {
    options: deleteOptions,
    dryRun: dryRun || (deleteOptions.dryRun?.length ?? 0) > 0,
    ...(preconditions && { preconditions }),
  };
}

/** Pods that have not started or have finished disrupt nothing. */
const isPastBudgets = ({ metadata, status }: Pod): boolean =>
  ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '') || metadata.deletionTimestamp !== undefined;

const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

/** The conditions under which the budgets allow the deletion. */
interface Grant {
  readonly preconditions?: DeleteOptions['preconditions'];
  /** The budget that allows the deletion as long as the pod doesn't change. */
  readonly budgetName?: string;
}

/** @throws StatusError when a budget doesn't allow it */
async function askBudgets(context: Context, pod: Pod, deletion: Deletion): Promise<Grant> {
  const budgets = await budgetsOf(context.objects, pod);
  if (budgets.length === 0) return {};
  if (budgets.length > 1) {
    throw new StatusError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const budget = budgets[0]!;
  const { currentHealthy, desiredHealthy } = budget.status;
  // A pod that isn't ready may be deleted as long as it doesn't change.
  const isFree =
    !isReady(pod) &&
    (budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' ||
      (currentHealthy >= desiredHealthy && desiredHealthy > 0));
  if (isFree) {
    const resourceVersion = pod.metadata.resourceVersion!;
    return {
      preconditions: { ...deletion.preconditions, resourceVersion },
      budgetName: budget.metadata.name!,
    };
  }
  await spendBudget(context, budget, pod.metadata.name!, deletion.dryRun);
  return {};
}

/** The server's own field manager. */
const manager = 'kube-apiserver';

/** For the budget this is a status update by the server. */
async function spendBudget(
  { stores, request, fields }: Context,
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
    (stored) => {
      const { metadata, status } = as<PodDisruptionBudget>(stored);
      const next = runStep(
        request.observer,
        here`disruption-budget`,
        () => as<KubeObject>(disrupted(as<PodDisruptionBudget>(stored), podName, now)),
        { budget: metadata.name, disruptionsAllowed: status.disruptionsAllowed },
        disrupted,
      );
      return fields.update(stored, { ...next, metadata: { ...next.metadata } }, manager);
    },
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
  deletion: Deletion,
): Promise<void> {
  let { preconditions } = deletion;
  if (!deletion.dryRun) {
    const written = await plainUpdate(store, request, name, {}, false, (pod) => {
      const { status } = as<Pod>(pod);
      checkPreconditions(as<Pod>(pod), deletion);
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
  const options = { ...checkedDeleteOptions(deletion.options), dryRun: deletion.dryRun };
  await store.main.delete(
    request,
    name,
    { ...options, ...(preconditions && { preconditions }) },
    () => undefined,
  );
}
