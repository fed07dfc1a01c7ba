/** Parses clients' resourceVersions, and interprets the errors of stores that cannot serve one. */
import { badRequest, expired, timeout } from '@coxswain/apimachinery/errors.ts';
import { StatusError } from '@coxswain/apimachinery';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { StorageError, type Revision } from '@coxswain/storage/storage.ts';

/** Upstream's error for an invalid revision; undefined for a valid one. */
function problemOf(text: string): string | undefined {
  const problem = parsingProblem(text);
  return problem && `resourceVersion: Invalid value: ${goQuote(text)}: ${problem}`;
}

function parsingProblem(text: string): string | undefined {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt.asUintN(64, BigInt(text)) === BigInt(text)) return undefined;
  return `strconv.ParseUint: parsing ${goQuote(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`;
}

/** 0 for none. @throws StatusError 500, as upstream for writes */
export function revisionOfWrite(text: string | undefined): Revision {
  if (text === undefined || text === '') return 0;
  const problem = parsingProblem(text);
  if (problem !== undefined) throw new StatusError(500, '', problem);
  return Number(text);
}

/** Whether an object to create already states a version; invalid numbers are ignored. */
export const claimsRevision = (text: string | undefined): boolean => /^\d*[1-9]\d*$/.test(text ?? '');

/** For a list. Undefined for none. @throws StatusError 400 */
export function revisionOfRead(text: string): Revision | undefined {
  if (text === '') return undefined;
  const problem = problemOf(text);
  if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
  return Number(text);
}

/** For a watch or a GET. Undefined for none. @throws StatusError 500, as upstream */
export function revisionOfWatch(text: string): Revision | undefined {
  if (text === '') return undefined;
  const problem = problemOf(text);
  if (problem !== undefined) throw new StatusError(500, '', problem);
  return Number(text);
}

/** Turns a storage error of a read into upstream's response. */
export function interpretRead(
  failure: unknown,
  wanted: Revision | undefined,
  retryAfterSeconds = 1,
): unknown {
  if (!(failure instanceof StorageError)) return failure;
  switch (failure.kind) {
    case 'future-revision':
      return tooLarge(wanted ?? 0, failure.revision ?? 0, retryAfterSeconds);
    case 'compacted':
      return expired(`The resourceVersion for the provided list is too old.`);
    default:
      return failure;
  }
}

function tooLarge(wanted: Revision, current: Revision, retryAfterSeconds: number): StatusError {
  const error = timeout(`Too large resource version: ${wanted}, current: ${current}`, retryAfterSeconds);
  const message = 'Too large resource version';
  error.status.details = {
    ...error.status.details,
    causes: [{ reason: 'ResourceVersionTooLarge', message }],
  };
  return error;
}
