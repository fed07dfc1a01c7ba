/** PUT and PATCH: changes a stored object by its strategy; some kinds are created by it. */
import {
  here,
  conflict,
  invalid,
  invalidError,
  optimisticLockReason,
  runStepInTurn,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Change } from '@coxswain/storage/storage.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { UpdateOptions } from '../rest/options.ts';
import type { Served } from '../rest/served.ts';
import type { UpdatedObject, UpdateResult, UpdateValidation } from '../rest/storage.ts';
import type { FinishWrite } from '../strategy.ts';
import { isFinished } from './before-delete.ts';
import { beforeCreate, beforeUpdate, begunCreate, begunUpdate, fillSystemFields } from './before-write.ts';
import { keyOf } from './keys.ts';
import { keepUnchangedTimes } from './managed-field-times.ts';
import { revisionOfWrite } from './revisions.ts';
import { keep, type Cached, type StoredResource } from './stored-resource.ts';
import { decidedBeside, storing } from './storing.ts';

type Outcome =
  | { readonly kind: 'kept'; readonly finish?: FinishWrite | undefined }
  | {
      readonly kind: 'created' | 'updated' | 'finished';
      readonly object: KubeObject;
      readonly finish: FinishWrite | undefined;
      readonly change: Change;
    };

export async function updateObject(
  store: StoredResource,
  request: ApiRequest,
  name: string,
  change: UpdatedObject,
  options: UpdateOptions,
  validation: UpdateValidation,
): Promise<UpdateResult> {
  const key = keyOf(store.keys, request.namespace, name);
  let outcome = { kind: 'kept' } as Outcome;
  let attempt = 0;
  const decideOnce = async (current: Cached | undefined): Promise<Change> => {
    // Another write came in between: the resources that this attempt allocated are released.
    await finishOf(outcome)?.(false);
    outcome = { kind: 'kept' };
    outcome =
      current === undefined
        ? await createdByUpdate(store, request, name, change, options, validation)
        : await updated(store, request, name, current, change, options, validation);
    return outcome.kind === 'kept' ? keep : outcome.change;
  };
  const decide = (current: Cached | undefined): Promise<Change> =>
    ++attempt === 1
      ? decideOnce(current)
      : runStepInTurn(request.observer, here`decide-again`, () => decideOnce(current), {
          attempt,
          overtakenBy: current === undefined ? 'a deletion' : `revision ${current.revision}`,
        });
  if (options.dryRun) {
    const current = await store.cache.get(key);
    await decide(current);
    const live = current && (await store.inVersion(current));
    if (outcome.kind !== 'kept') {
      const { object } = store.decoratedServed(await store.tried(request, outcome.object));
      outcome = { ...outcome, object };
    }
    return { served: servedBy(outcome, live), created: outcome.kind === 'created' };
  }
  let written;
  try {
    written = await runStepInTurn(request.observer, here`storage/update`, () =>
      storing(request, () =>
        store.cache.update(key, decidedBeside(request, decide), { observer: request.observer }),
      ),
    );
  } catch (failure) {
    await finishOf(outcome)?.(false);
    throw failure;
  }
  await finishOf(outcome)?.(true);
  // An update that completed a deletion returns the object as it was sent.
  if (outcome.kind === 'finished') {
    await store.strategy.afterDelete?.(outcome.object, request);
    return { served: { object: outcome.object }, created: false };
  }
  const served = await store.inVersion(store.decorated(written!));
  return { served, created: outcome.kind === 'created' };
}

async function createdByUpdate(
  store: StoredResource,
  request: ApiRequest,
  name: string,
  change: UpdatedObject,
  options: UpdateOptions,
  validation: UpdateValidation,
): Promise<Outcome> {
  const { strategy } = store;
  if (strategy.allowCreateOnUpdate !== true && !validation.forceAllowCreate)
    throw store.missing(request, name);
  if (change.preconditions?.uid !== undefined) {
    throw store.uidConflict(request, name, options, change.preconditions.uid, '');
  }
  const object = await change.updated(undefined);
  const sent = object.metadata.resourceVersion;
  revisionOfWrite(sent);
  fillSystemFields(object, store.clock.now(), store.newUid());
  const finish = await begunCreate(strategy, object, request, options.dryRun);
  try {
    const refused = strategy.authorize && (await strategy.authorize(object, undefined, request));
    beforeCreate(store.kind, strategy, object, request, refused);
    await validation.create(object);
    const put = await store.putChange(request, object);
    // A dry run returns the resourceVersion that was sent.
    if (options.dryRun && sent) object.metadata.resourceVersion = sent;
    return { kind: 'created', object, finish, change: put };
  } catch (failure) {
    await finish?.(false);
    throw failure;
  }
}

async function updated(
  store: StoredResource,
  request: ApiRequest,
  name: string,
  current: Cached,
  change: UpdatedObject,
  options: UpdateOptions,
  validation: UpdateValidation,
): Promise<Outcome> {
  const { strategy } = store;
  const live = store.inVersion(current, request);
  const old = (live instanceof Promise ? await live : live).object;
  const { uid, resourceVersion } = change.preconditions ?? {};
  if (uid !== undefined && uid !== old.metadata.uid) {
    throw store.uidConflict(request, name, options, uid, old.metadata.uid ?? '');
  }
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(store.resourceOf(request), name, optimisticLockReason);
  }
  const object = await change.updated(old);
  runStepInTurn(
    request.observer,
    here`check-resource-version`,
    () => checkVersion(store, request, name, object, old),
    request.observer && {
      sent: object.metadata.resourceVersion ?? 'none',
      stored: old.metadata.resourceVersion,
    },
  );
  const finish = await begunUpdate(strategy, object, old, request, options.dryRun);
  try {
    const refused = strategy.authorize && (await strategy.authorize(object, old, request));
    beforeUpdate(store.kind, strategy, object, old, request, refused);
    keepUnchangedTimes(object, old);
    await validation.update(object, old);
    if (isFinished(object, old) && (strategy.shouldDeleteDuringUpdate?.(object, old) ?? true)) {
      return { kind: 'finished', object, finish, change: { kind: 'delete' } };
    }
    const changed = store.putChange(request, object);
    const put = changed instanceof Promise ? await changed : changed;
    // A dry run returns a selfLink as it was sent, although it is never stored.
    const isSeen = options.dryRun && Boolean(object.metadata.selfLink);
    const isSame = put.kind === 'put' && !isSeen && store.isStoredAs(put.value, current);
    return (isSame instanceof Promise ? await isSame : isSame)
      ? // A write that changes nothing is skipped: the object keeps its resourceVersion.
        { kind: 'kept', finish }
      : { kind: 'updated', object, finish, change: put };
  } catch (failure) {
    await finish?.(false);
    throw failure;
  }
}

/** @throws StatusError 409, 422 */
function checkVersion(
  store: StoredResource,
  request: ApiRequest,
  name: string,
  object: KubeObject,
  old: KubeObject,
): void {
  const version = revisionOfWrite(object.metadata.resourceVersion);
  if (version === 0) {
    if (store.strategy.allowUnconditionalUpdate !== false) {
      // Validation requires a resourceVersion: an unconditional update overwrites the newest one.
      object.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
      return;
    }
    const { group, resource } = store.resourceOf(request);
    throw invalid({ group, kind: resource }, name, [
      invalidError('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  if (String(version) !== old.metadata.resourceVersion) {
    throw conflict(store.resourceOf(request), name, optimisticLockReason);
  }
}

const finishOf = (outcome: Outcome): FinishWrite | undefined => outcome.finish;

/** The response of a dry run: the object as it would be, but with the stored resourceVersion. */
function servedBy(outcome: Outcome, current: Served | undefined): Served {
  if (outcome.kind === 'kept') return current!;
  const { object } = outcome;
  const { resourceVersion } = current?.object.metadata ?? {};
  return {
    object:
      resourceVersion === undefined
        ? object
        : { ...object, metadata: { ...object.metadata, resourceVersion } },
  };
}
