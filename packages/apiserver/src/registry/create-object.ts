/** POST: stores an object by its strategy, under its own name or a generated one. */
import {
  here,
  deepClone,
  generateNameConflict,
  isStatusError,
  runStepInTurn,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { CreateOptions, WriteOptions } from '../rest/options.ts';
import type { Served } from '../rest/served.ts';
import type { ValidateObject } from '../rest/storage.ts';
import { beforeCreate, begunCreate, fillSystemFields, resourceVersionOnCreate } from './before-write.ts';
import { generatedName, generatedNameAttemptsMax } from './generated-name.ts';
import { keyOf } from './keys.ts';
import { claimsRevision } from './revisions.ts';
import type { Cached, StoredResource } from './stored-resource.ts';
import { storing } from './storing.ts';

export async function createObject(
  store: StoredResource,
  request: ApiRequest,
  object: KubeObject,
  options: CreateOptions,
  validate: ValidateObject,
): Promise<Served> {
  const { generateName, name } = object.metadata;
  if (!generateName) return createNamed(store, request, object, options, validate);
  for (let attempt = 1; ; attempt++) {
    // A name given by the client counts as generated.
    const last = Boolean(name) || attempt === generatedNameAttemptsMax;
    const named = last ? object : deepClone(object);
    named.metadata.name =
      name || (store.strategy.generatedName?.(generateName) ?? generatedName(generateName, store.random));
    try {
      return await createNamed(store, request, named, options, validate);
    } catch (failure) {
      if (!isStatusError(failure, 'AlreadyExists')) throw failure;
      if (!last) continue;
      const conflict = generateNameConflict(store.resourceOf(request), named.metadata.name, 1);
      const { message } = failure.status;
      if (message?.startsWith(beingDeleted)) conflict.status.message = beingDeleted + conflict.status.message;
      throw conflict;
    }
  }
}

const beingDeleted = 'object is being deleted: ';

async function createNamed(
  store: StoredResource,
  request: ApiRequest,
  object: KubeObject,
  options: CreateOptions,
  validate: ValidateObject,
): Promise<Served> {
  fillSystemFields(object, store.clock.now(), store.newUid());
  const finish = await begunCreate(store.strategy, object, request, options.dryRun);
  try {
    const { strategy } = store;
    const refused = strategy.authorize && (await strategy.authorize(object, undefined, request));
    beforeCreate(store.kind, strategy, object, request, refused);
    await validate(object);
    const name = object.metadata.name ?? '';
    const key = keyOf(store.keys, request.namespace, name);
    const served = await putNew(store, request, key, object, options, (current) => {
      if (current !== undefined) throw store.taken(request, current);
    });
    await finish?.(true);
    return served;
  } catch (failure) {
    await finish?.(false);
    throw failure;
  }
}

/** Stores a new object. */
async function putNew(
  store: StoredResource,
  request: ApiRequest,
  key: string,
  object: KubeObject,
  options: WriteOptions,
  check: (current: Cached | undefined) => void,
): Promise<Served> {
  if (options.dryRun) {
    check(await store.cache.get(key));
    return store.decoratedServed(await store.tried(request, object));
  }
  if (claimsRevision(object.metadata.resourceVersion)) throw resourceVersionOnCreate();
  const made = store.putChange(request, object);
  const change = made instanceof Promise ? await made : made;
  const written = await runStepInTurn(request.observer, here`storage/update`, () =>
    storing(request, () =>
      store.cache.update(
        key,
        (current) => {
          check(current);
          return change;
        },
        { observer: request.observer, expectsNone: true },
      ),
    ),
  );
  return store.inVersion(store.decorated(written!));
}
