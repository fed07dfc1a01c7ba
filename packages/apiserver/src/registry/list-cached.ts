/** A list from the cache, with upstream's rules for resourceVersion, limit and continue. */
import {
  badRequest,
  StatusError,
  type GroupResource,
  type KubeObject,
  type StepObserver,
} from '@coxswain/apimachinery';
import { Cacher, type CacheList, type CacheListOptions } from '@coxswain/storage/cacher/cacher.ts';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { ListOptions } from '../rest/options.ts';
import type { ServedList } from '../rest/served.ts';
import { decodeContinue, encodeContinue, type ContinuePoint } from './continue-token.ts';
import { directoryOf, type KeySpace } from './keys.ts';
import { interpretRead, revisionOfRead } from './revisions.ts';
import { refuseUnreadable } from './unreadable-objects.ts';
import { selectionOf, type Selection } from './selection.ts';

type Cache = Cacher<KubeObject>;
type Listed = CacheList<KubeObject>;

export function listCached(
  cache: Cache,
  keys: KeySpace,
  namespace: string,
  options: ListOptions,
  indexed: readonly string[],
  resource: GroupResource,
  fromSnapshots: boolean,
  observer?: StepObserver,
): ServedList | Promise<ServedList> {
  const selection = selectionOf(keys, namespace, options, indexed);
  if (!selection.scope.endsWith('/')) return listOneKey(cache, selection, options);
  const directory = directoryOf(keys, namespace);
  const point = continuePointOf(options);
  const wanted = revisionOfRead(options.resourceVersion);
  // For reads past the cache, upstream sends no Retry-After.
  const retrySeconds = !fromSnapshots && isExact(options) ? 0 : 1;
  const asked = cacheOptions(options, selection, directory, { point, wanted, fromSnapshots });
  const { limit, after, revision, notOlderThan } = asked;
  observer?.note?.({ limit, after, revision, notOlderThan });
  let listed: Listed | Promise<Listed>;
  try {
    listed = cache.list({ ...asked, observer });
  } catch (failure) {
    throw interpret(failure, wanted, point, retrySeconds);
  }
  const answer = (page: Listed) => {
    refuseUnreadable(page.objects, resource);
    return servedList(page, options, directory);
  };
  return listed instanceof Promise
    ? listed.then(answer, (failure: unknown) => {
        throw interpret(failure, wanted, point, retrySeconds);
      })
    : answer(listed);
}

/** @throws StatusError 400 */
function continuePointOf(options: ListOptions): ContinuePoint | undefined {
  if (options.continue === '') return undefined;
  const point = decodeContinue(options.continue);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return point;
}

function cacheOptions(
  options: ListOptions,
  { match, field, label }: Selection,
  directory: string,
  {
    point,
    wanted,
    fromSnapshots,
  }: {
    readonly point: ContinuePoint | undefined;
    readonly wanted: number | undefined;
    readonly fromSnapshots: boolean;
  },
): CacheListOptions<KubeObject> {
  // The limit is ignored at version 0: the cache returns everything.
  const ignoresLimit = wanted === 0 && (point === undefined || fromSnapshots);
  const limit = options.limit > 0 && !ignoresLimit ? { limit: options.limit } : undefined;
  const common = {
    scope: directory,
    ...limit,
    ...(options.owner !== undefined && { owner: options.owner }),
    ...(match && { match }),
    ...(field && { field }),
    ...(label && { label }),
  };
  if (point !== undefined) {
    const after = lastKeyBefore(`${directory}${point.start}`);
    return { ...common, after, ...(point.revision === undefined ? undefined : { revision: point.revision }) };
  }
  if (wanted === undefined) return common;
  if (wanted === 0) return { ...common, notOlderThan: 'any' };
  return isExact(options) ? { ...common, revision: wanted } : { ...common, notOlderThan: wanted };
}

const isExact = ({ limit, resourceVersionMatch }: ListOptions): boolean =>
  resourceVersionMatch === 'Exact' || (limit > 0 && resourceVersionMatch === '');

/** A token gives the next key as the last key followed by a zero byte. */
const lastKeyBefore = (key: string): string => (key.endsWith('\0') ? key.slice(0, -1) : key);

function servedList(page: Listed, options: ListOptions, directory: string): ServedList {
  const resourceVersion = String(page.revision);
  if (page.next === undefined) return { resourceVersion, items: page.objects };
  // With a leading slash, as upstream's cache writes it.
  const start = `/${page.next.slice(directory.length)}\0`;
  const isSelected = !options.labelSelector.everything || !options.fieldSelector.everything;
  return {
    resourceVersion,
    items: page.objects,
    continue: encodeContinue({ revision: page.revision, start }),
    ...(isSelected ? undefined : { remainingItemCount: page.remaining }),
  };
}

async function listOneKey(
  cache: Cache,
  { scope, match }: Selection,
  options: ListOptions,
): Promise<ServedList> {
  const wanted = revisionOfRead(options.resourceVersion);
  const isAtVersion = wanted !== undefined && options.resourceVersionMatch === 'Exact';
  try {
    const { object, revision } = isAtVersion
      ? { object: await cache.getAt(scope, wanted), revision: wanted }
      : await cache.listOne(scope, wanted === 0 ? 'any' : wanted);
    const isSelected = object !== undefined && (match === undefined || match(object));
    return { resourceVersion: String(revision), items: isSelected ? [object] : [] };
  } catch (failure) {
    // For reads past the cache, upstream sends no Retry-After.
    const isStored = isAtVersion || (options.limit > 0 && options.resourceVersionMatch === '');
    throw interpretRead(failure, wanted, isStored ? 0 : 1);
  }
}

function interpret(
  failure: unknown,
  wanted: number | undefined,
  point: ContinuePoint | undefined,
  retrySeconds: number,
): unknown {
  if (!(failure instanceof StorageError) || failure.kind !== 'compacted' || point === undefined) {
    return interpretRead(failure, point?.revision ?? wanted, retrySeconds);
  }
  return expiredToken(point.start);
}

/** 410, with a token that continues from there at the newest revision. */
function expiredToken(start: string): StatusError {
  const error = new StatusError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata = { continue: encodeContinue({ revision: undefined, start }) };
  return error;
}
