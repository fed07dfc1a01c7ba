/** Decodes the object in a webhook's response into the expected kind, as upstream does. */
import { decode, DecodeError, parseJson, typeMetaOf, type Kind } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import { readYaml } from '@coxswain/apiserver/negotiation/yaml.ts';
import { apiVersionProblem, goQuote, type KubeObject } from '@coxswain/apimachinery';

/**
 * @param known all versions of the kind that are accepted
 * @throws Error with upstream's message
 */
export function answeredKind(text: string, wanted: Kind, known: readonly Kind[]): KubeObject {
  const parsed = jsonOf(text);
  const { apiVersion, kind } = metaOf(parsed);
  const problem = apiVersionProblem(apiVersion);
  if (problem !== undefined) throw new Error(problem);
  if (kind === 'Status' && (apiVersion === 'v1' || known.some((one) => one.apiVersion === apiVersion))) {
    throw unconvertible('v1.Status', wanted);
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
  if (found !== wanted) throw unconvertible(goName(found), wanted);
  return object;
}

const unconvertible = (found: string, wanted: Kind): Error =>
  new Error(`converting (${found}) to (${goName(wanted)}): unknown conversion`);

const goName = ({ version, kind }: Kind): string => `${version}.${kind}`;

type Parsed = ReturnType<typeof parseJson>;

function jsonOf(text: string): Parsed {
  try {
    // Anything but a JSON object is parsed as YAML.
    if (/^\s*\{/.test(text)) return parseJson(text);
    return parseJson(writeAny(readYaml(new TextEncoder().encode(text)).value));
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
