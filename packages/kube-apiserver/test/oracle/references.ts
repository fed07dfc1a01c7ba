/** Fills in a case's placeholders: `$ns`, `$id`, and `$step.path` for values of earlier responses. */
import { valueAt } from './value-path.ts';

export interface Scope {
  readonly ns: string | undefined;
  readonly id: string;
  /** `{status, headers, body}` by the step's name. */
  readonly answers: ReadonlyMap<
    string,
    { readonly status: number; readonly headers: unknown; readonly body: unknown }
  >;
}

type Encode = (text: string) => string;

/** Returns `value` with its references filled in, at any depth and in keys. */
export function fillReferences(value: unknown, scope: Scope, encode: Encode = (text) => text): unknown {
  if (typeof value === 'string') return fillText(value, scope, encode);
  if (Array.isArray(value)) return value.map((item) => fillReferences(item, scope, encode));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      String(fillText(key, scope, encode)),
      fillReferences(child, scope, encode),
    ]),
  );
}

/** `$ns` and `$id`, or a step's name (a word, with dashes) and the place of a value in its response. */
const references =
  /\$(?:(ns|id)(?![A-Za-z])|([\w-]+)((?:@(?:headers|status))?(?:\.[A-Za-z0-9_]+|\[[^\]]+\])*))/g;
const wholeReference = new RegExp(`^(?:${references.source})$`);

function fillText(text: string, scope: Scope, encode: Encode): unknown {
  if (!text.includes('$')) return text;
  const isText = (step: string | undefined, place: string | undefined) =>
    step !== undefined && (place === '' || !scope.answers.has(step));
  // A string that is only one reference is replaced by the value with its type.
  const whole = wholeReference.exec(text);
  if (whole !== null && !isText(whole[2], whole[3])) {
    const value = resolve(whole, scope);
    return typeof value === 'string' ? encode(value) : value;
  }
  return text.replace(references, (match, own: string | undefined, step: string | undefined, place: string) =>
    isText(step, place) ? match : encode(String(resolve([match, own, step, place], scope))),
  );
}

function resolve([match, own, step, place]: readonly (string | undefined)[], scope: Scope): unknown {
  const value = own === undefined ? answerValue(scope.answers.get(step!), place!) : scope[own as 'ns' | 'id'];
  if (value === undefined) throw new Error(`${match} has no value`);
  return value;
}

const answerValue = (answer: { readonly body: unknown } | undefined, place: string): unknown =>
  place.startsWith('@') ? valueAt(answer, place.slice(1)) : valueAt(answer?.body, place);
