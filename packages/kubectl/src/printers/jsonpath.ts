import { compileJsonPath } from '../jsonpath/evaluate.ts';
import type { Printer } from './printer.ts';

/** @throws Error when the template can't be read */
export function jsonPathPrinter(template: string, allowMissingKeys: boolean, asJson: boolean): Printer {
  let path: ReturnType<typeof compileJsonPath>;
  try {
    path = compileJsonPath(template, { allowMissingKeys });
  } catch (failure) {
    throw new Error(`error parsing jsonpath ${template}, ${(failure as Error).message}`);
  }
  return (object) => {
    try {
      return asJson ? path.printJson(object) : path.print(object);
    } catch (failure) {
      throw new Error(
        `error executing jsonpath "${template}": Error executing template: ${(failure as Error).message}. Printing more information for debugging the template:\n` +
          `\ttemplate was:\n\t\t${template}\n\tobject given to jsonpath engine was:\n\t\t${goStruct(object)}\n\n\n`,
      );
    }
  };
}

/** Go's `%#v` of plain JSON. */
function goStruct(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goStruct).join(', ')}}`;
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'object') {
    const object = value as Record<string, unknown>;
    const pairs = Object.keys(object)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${goStruct(object[key])}`);
    return `map[string]interface {}{${pairs.join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
