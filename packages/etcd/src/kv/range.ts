import { compareText } from '@coxswain/apimachinery/compare-text.ts';
import { partsPerStep, sortedInSteps, type Steps } from '@coxswain/apimachinery/work-in-steps.ts';
import type { Entry, Engine, RangeOptions, RangeResult } from '@coxswain/storage';
import { rangeInSteps } from '@coxswain/storage/engine/range-in-steps.ts';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import {
  sortOrders,
  sortTargets,
  type KeyValue,
  type RangeRequest,
  type RangeResponse,
} from '@coxswain/storage/etcd/messages.ts';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { Decoded, Input } from '@coxswain/protobuf';
import type { Header } from '../member.ts';
import { asKeyRange, keyValueOf, rangeOf } from './keys.ts';

type Request = Decoded<typeof RangeRequest>;

/** @throws GrpcError for an invalid request */
export function checkRange(request: Request): void {
  if (request.key.length === 0) throw etcdError('emptyKey');
  const isSortKnown = request.sortOrder <= sortOrders.descend && request.sortTarget <= sortTargets.value;
  if (!isSortKnown) throw etcdError('invalidSort');
}

/** Shaped in the request's own turns: many ranges may be as long as the store. */
export function* range(
  engine: Engine,
  request: Request,
  headerAt: () => Header,
): Steps<Input<typeof RangeResponse>> {
  checkRange(request);
  return yield* shapeRange(request, yield* rangeOfRequest(engine, request), headerAt());
}

function* rangeOfRequest(engine: Engine, request: Request): Steps<RangeResult> {
  const keys = rangeOf(request.key, request.rangeEnd);
  const options = rangeOptions(request);
  if ('key' in keys || options.countOnly === true) return engine.range(asKeyRange(keys), options);
  for (;;) {
    try {
      return yield* rangeInSteps(engine, keys, options);
    } catch (failure) {
      // What was the newest revision has been compacted meanwhile.
      const isNewest = options.revision === undefined;
      if (!isNewest || !(failure instanceof StorageError && failure.kind === 'compacted')) throw failure;
    }
  }
}

/** The request to the engine, which applies the limit unless the entries must first be filtered or sorted. */
export function rangeOptions(request: Request): RangeOptions {
  const isShaped = isSorted(request) || isFiltered(request);
  return {
    ...(request.revision > 0 && { revision: request.revision }),
    ...(request.limit > 0 && !isShaped && { limit: request.limit }),
    countOnly: request.countOnly,
  };
}

/** Filters, sorts, limits and strips values, in this order, as etcd does. `count` is that of the whole range. */
export function* shapeRange(
  request: Request,
  result: RangeResult,
  header: Header,
): Steps<Input<typeof RangeResponse>> {
  let { entries } = result;
  let more = result.count > entries.length && !request.countOnly;
  if (isFiltered(request)) entries = entries.filter((entry) => passes(request, entry));
  if (isSorted(request)) entries = yield* sortedInSteps(entries, comparisonOf(request));
  if (request.limit > 0 && entries.length > request.limit) {
    entries = entries.slice(0, request.limit);
    more = true;
  }
  const kvs: Input<typeof KeyValue>[] = [];
  for (const entry of entries) {
    const pair = keyValueOf(entry);
    kvs.push(request.keysOnly ? { ...pair, value: undefined } : pair);
    if (kvs.length % partsPerStep === 0) yield;
  }
  return { header, kvs, more, count: result.count };
}

const isFiltered = (request: Request): boolean =>
  request.minModRevision > 0 ||
  request.maxModRevision > 0 ||
  request.minCreateRevision > 0 ||
  request.maxCreateRevision > 0;

/** Entries arrive in ascending order of keys. */
const isSorted = ({ sortOrder, sortTarget }: Request): boolean =>
  sortTarget !== sortTargets.key || sortOrder === sortOrders.descend;

function passes(request: Request, { modRevision, createRevision }: Entry): boolean {
  return (
    modRevision >= request.minModRevision &&
    (request.maxModRevision === 0 || modRevision <= request.maxModRevision) &&
    createRevision >= request.minCreateRevision &&
    (request.maxCreateRevision === 0 || createRevision <= request.maxCreateRevision)
  );
}

function comparisonOf({ sortOrder, sortTarget }: Request): Comparison {
  const compare = comparisons[sortTarget]!;
  return sortOrder === sortOrders.descend ? (a, b) => -compare(a, b) : compare;
}

type Comparison = (a: Entry, b: Entry) => number;

/** By number of the sort target. */
const comparisons: readonly Comparison[] = [
  (a, b) => compareText(a.key, b.key),
  (a, b) => a.version - b.version,
  (a, b) => a.createRevision - b.createRevision,
  (a, b) => a.modRevision - b.modRevision,
  (a, b) => Buffer.compare(a.value, b.value),
];

/** Encoding this many bytes takes a fraction of a millisecond. */
const pieceBytes = 256 * 1024;

/** Divides a response at its key-value pairs: what follows a field in the encoding of a message is another field. */
export function* piecesOfRange(
  response: Input<typeof RangeResponse>,
): Generator<Input<typeof RangeResponse>> {
  const { header, kvs = [], ...rest } = response;
  yield { header };
  let from = 0;
  let bytes = 0;
  for (const [index, { key, value }] of kvs.entries()) {
    bytes += (key?.length ?? 0) + (value?.length ?? 0) + pairBytes;
    if (bytes < pieceBytes) continue;
    yield { kvs: kvs.slice(from, index + 1) };
    from = index + 1;
    bytes = 0;
  }
  yield { kvs: kvs.slice(from), ...rest };
}

/** The numbers of a pair. */
const pairBytes = 32;
