/** The object in a webhook's answer, read as the original reads it into the kind that it expects. */
import { decode, DecodeError, parseJson, typeMetaOf } from '@coxswain/schema';
import type { Kind } from '@coxswain/schema';
import { goQuote, StatusError } from '@coxswain/apimachinery';
import type { KubeObject, Status } from '@coxswain/apimachinery';

/**
 * @param known all versions of the kind that may come
 * @throws Error in the original's words; StatusError when a Status came
 */
export function answeredKind(text: string, wanted: Kind, known: readonly Kind[]): KubeObject {
  const parsed = jsonOf(text);
  const { apiVersion, kind } = metaOf(parsed);
  if (kind === 'Status' && (apiVersion === 'v1' || known.some((one) => one.apiVersion === apiVersion))) {
    throw statusOf(JSON.parse(text) as Partial<Status>);
  }
  const found = known.find(
    (one) =>
      (kind === '' || one.kind === kind) &&
      (apiVersion === '' ? one.apiVersion === wanted.apiVersion : one.apiVersion === apiVersion),
  );
  if (found === undefined) {
    throw new Error(
      `no kind ${goQuote(kind || wanted.kind)} is registered for version ${goQuote(apiVersion || wanted.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const object = decodedAs(found, parsed);
  if (found !== wanted) {
    throw new Error(`converting (${goName(found)}) to (${goName(wanted)}): unknown conversion`);
  }
  return object;
}

const goName = ({ version, kind }: Kind): string => `${version}.${kind}`;

type Parsed = ReturnType<typeof parseJson>;

function jsonOf(text: string): Parsed {
  try {
    return parseJson(text);
  } catch (failure) {
    throw notJson(failure);
  }
}

function metaOf(parsed: Parsed): { readonly apiVersion: string; readonly kind: string } {
  try {
    return typeMetaOf(parsed);
  } catch (failure) {
    throw notJson(failure);
  }
}

function notJson(failure: unknown): unknown {
  if (!(failure instanceof DecodeError)) return failure;
  return new Error(`couldn't get version/kind; json parse error: ${failure.message}`);
}

function decodedAs(kind: Kind, parsed: Parsed): KubeObject {
  try {
    return decode(kind.type, parsed).object as KubeObject;
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    const isSyntax = failure.problem === 'syntax';
    throw isSyntax ? notJson(failure) : new Error(failure.message, { cause: failure });
  }
}

function statusOf({ code = 0, reason = '', message = '', details, status }: Partial<Status>): Error {
  if (status === 'Success') return new Error('unexpected Status');
  return new StatusError(code, reason, message, details);
}
