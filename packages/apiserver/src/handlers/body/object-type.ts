/** Determines an object's type as upstream's decoders do, with their error messages. */
import { apiVersionOf, goQuote, parseApiVersion, type GroupVersionKind } from '@coxswain/apimachinery';
import type { TypeMeta } from '@coxswain/schema';

/** Missing parts default to the expected ones; the version stays empty if only another group is given. */
export function typeOf({ apiVersion, kind }: TypeMeta, expected: GroupVersionKind): GroupVersionKind {
  const given = parseApiVersion(apiVersion);
  const isExpected = given.version === '' && (given.group === '' || given.group === expected.group);
  const { group, version } = isExpected ? expected : given;
  return { group, version, kind: kind || expected.kind };
}

/**
 * The reason that an object has the wrong type.
 * @param goType of `type`; undefined when the server has no such kind
 * @param text the object as it was sent
 */
export function typeProblem(
  type: GroupVersionKind,
  goType: string | undefined,
  expectedGoType: string,
  text: () => string,
): string {
  if (type.version === '') return missingVersion(text());
  return goType === undefined ? notRegistered(type) : unknownConversion(goType, expectedGoType);
}

export const missingVersion = (text: string): string => `Object 'apiVersion' is missing in '${text}'`;

const unknownConversion = (from: string, to: string): string =>
  `converting (${from}) to (${to}): unknown conversion`;

export const internalVersion = '__internal';

function notRegistered(type: GroupVersionKind): string {
  const where =
    type.version === internalVersion
      ? `the internal version of group ${goQuote(type.group)}`
      : `version ${goQuote(apiVersionOf(type))}`;
  return `no kind ${goQuote(type.kind)} is registered for ${where} in scheme "pkg/runtime/scheme.go:111"`;
}
