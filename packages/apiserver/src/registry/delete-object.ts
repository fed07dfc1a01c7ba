/** DELETE of one object: removes it at once, or marks it if its deletion takes time. */
import { here, deepEqual, runStep, runStepInTurn, type KubeObject } from '@coxswain/apimachinery';
import type { Change } from '@coxswain/storage/storage.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { DeleteOptions } from '../rest/options.ts';
import type { Served } from '../rest/served.ts';
import type { DeleteResult, ValidateObject } from '../rest/storage.ts';
import { checkDeletionPreconditions, graceOf, planDeletion } from './before-delete.ts';
import { deletedStatus } from './deleted-status.ts';
import { keyOf } from './keys.ts';
import { keep, type Cached, type StoredResource } from './stored-resource.ts';
import { storing } from './storing.ts';

export async function deleteObject(
  store: StoredResource,
  request: ApiRequest,
  name: string,
  options: DeleteOptions,
  validate: ValidateObject,
): Promise<DeleteResult> {
  const key = keyOf(store.keys, request.namespace, name);
  if (options.dryRun)
    return runStepInTurn(request.observer, here`storage/dry-run`, () =>
      deleteDry(store, request, name, key, options, validate),
    );
  const { isOver, marked } = await markDeletion(store, request, name, key, options, validate);
  if (!isOver) return deleted(store, request, await store.inVersion(marked!), false);
  let last: Cached | undefined;
  const removed = await runStep(request.observer, here`storage/update`, () =>
    storing(request, () =>
      store.cache.update(
        key,
        (current) => {
          last = current;
          return current === undefined ? keep : { kind: 'delete' };
        },
        { observer: request.observer },
      ),
    ),
  );
  // Whoever waits for the mark may have been faster.
  const gone = removed ?? last ?? marked;
  if (gone === undefined) throw store.missing(request, name);
  await store.strategy.afterDelete?.(gone.object, request);
  return deleted(store, request, gone, true);
}

interface Marking {
  /** Whether the caller is to delete the object now. */
  readonly isOver: boolean;
  /** The object that was marked, or that remains unchanged; undefined if nothing had to be marked before a deletion. */
  readonly marked: Cached | undefined;
}

/** Marks the object if its deletion takes time, or if others wait for the mark. */
async function markDeletion(
  store: StoredResource,
  request: ApiRequest,
  name: string,
  key: string,
  options: DeleteOptions,
  validate: ValidateObject,
): Promise<Marking> {
  let isOver = false;
  let pending: Cached | undefined;
  const decide = async (current: Cached | undefined): Promise<Change> => {
    if (current === undefined) throw store.missing(request, name);
    const { object } = await store.inVersion(current, request);
    warnOfDeletion(store, request, object, options);
    checkDeletionPreconditions(store.kind, object, options);
    const plan = planDeletion(store.strategy, object, options, request, store.clock.now());
    request.observer?.note?.({
      plan: plan.kind,
      propagationPolicy: options.propagationPolicy,
      graceSeconds: graceOf(plan),
      finalizers: ('object' in plan ? plan.object : object).metadata.finalizers,
    });
    await validate(object, graceOf(plan));
    isOver = plan.kind === 'delete' || plan.kind === 'mark, then delete';
    pending = current;
    if (plan.kind === 'pending' || plan.kind === 'delete') return keep;
    // Deleting again an object that finalizers hold changes nothing and causes no event.
    if (deepEqual(plan.object.metadata, object.metadata)) return keep;
    return store.putChange(request, plan.object);
  };
  const { observer } = request;
  const written = await runStep(observer, here`mark-deletion`, () =>
    store.cache.update(key, decide, { observer }),
  );
  return { isOver, marked: isOver ? written : (written ?? pending) };
}

function warnOfDeletion(
  store: StoredResource,
  request: ApiRequest,
  object: KubeObject,
  options: DeleteOptions,
): void {
  for (const text of store.strategy.warningsOnDelete?.(object, options, request) ?? []) request.warn(text);
}

async function deleteDry(
  store: StoredResource,
  request: ApiRequest,
  name: string,
  key: string,
  options: DeleteOptions,
  validate: ValidateObject,
): Promise<DeleteResult> {
  const found = await store.cache.get(key);
  if (found === undefined) throw store.missing(request, name);
  const current = await store.inVersion(found);
  warnOfDeletion(store, request, current.object, options);
  checkDeletionPreconditions(store.kind, current.object, options);
  const plan = planDeletion(store.strategy, current.object, options, request, store.clock.now());
  await validate(current.object, graceOf(plan));
  const served: Served = 'object' in plan ? { object: plan.object } : current;
  return deleted(store, request, served, plan.kind === 'delete' || plan.kind === 'mark, then delete');
}

function deleted(
  store: StoredResource,
  request: ApiRequest,
  served: Served,
  immediate: boolean,
): DeleteResult {
  // An object that still exists is returned, so that the client sees what it waits for.
  if (store.strategy.returnDeletedObject === true || !immediate) {
    return { served: store.decoratedServed(served), immediate, status: false };
  }
  const status = deletedStatus(store.resourceOf(request), served.object);
  return { served: { object: status as unknown as KubeObject }, immediate, status: true };
}
