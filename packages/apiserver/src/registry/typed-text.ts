/**
 * Bad values in validation errors whose Go type is a type of text (`v1.RestartPolicy`): upstream prints plain text
 * quoted and everything else as JSON, which escapes `<`, `>`, `&` and control characters differently.
 */
import { PrintedValue, type FieldError } from '@coxswain/apimachinery/field-error.ts';
import { goJson, goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { resolved, type Type } from '@coxswain/schema';
import { shapeOf } from '@coxswain/schema/shape.ts';

/** The same errors; values of types of text are printed as JSON. */
export function printingTypedText(type: Type, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.some(isPrintedDifferently)
    ? errors.map((error) =>
        isPrintedDifferently(error) && isTypedText(type, placeOf(error.field))
          ? { ...error, badValue: new PrintedValue(goJson(error.badValue)) }
          : error,
      )
    : errors;
}

const isPrintedDifferently = ({ badValue }: FieldError): boolean =>
  typeof badValue === 'string' && badValue !== '' && goJson(badValue) !== goQuote(badValue);

/** `['spec', 'ports', '0', 'name']` of `spec.ports[0].name` */
const placeOf = (field: string): readonly string[] =>
  [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([whole, key]) => key ?? whole);

function isTypedText(type: Type, [name, ...rest]: readonly string[]): boolean {
  const actual = resolved(type);
  if (name === undefined) return namesText(actual) || hasTypedText(actual);
  if (actual.form === 'struct') {
    const member = shapeOf(actual).byName.get(name);
    return member !== undefined && isTypedText(member.field.type, rest);
  }
  // Some places leave out the position in the list.
  if (actual.form === 'list') return isTypedText(actual.element, /^\d+$/.test(name) ? rest : [name, ...rest]);
  if (actual.form === 'map') return rest.length === 0 ? namesText(actual) : isTypedText(actual.value, rest);
  return false;
}

/** An error of a struct or a list may be about a member that has no place of its own. */
function hasTypedText(type: Type): boolean {
  if (type.form === 'list') return isTypedText(type.element, []);
  return type.form === 'struct' && shapeOf(type).members.some(({ field }) => namesText(resolved(field.type)));
}

/** The keys of a list of resources are typed as well. */
const namesText = (type: Type): boolean =>
  type.form === 'map'
    ? type.goName === 'v1.ResourceList'
    : type.form === 'scalar' && type.scalar === 'string' && type.goName !== undefined;
