import {
  compileJsonPath,
  type JsonPath,
  type JsonPathOptions,
} from '@coxswain/apimachinery/jsonpath/evaluate.ts';
import { printedValue, TypedNumber, type Numbers } from '@coxswain/apimachinery/jsonpath/value.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { toIndentedJson } from '../encoding/json.ts';
import type { Printer } from './printer.ts';

export interface JsonPathPrinterOptions extends JsonPathOptions {
  readonly numbers: Numbers;
  /** Prints the values of each part as an indented JSON list. */
  readonly asJson: boolean;
}

/** @throws Error if the template is invalid */
export function jsonPathPrinter(template: string, options: JsonPathPrinterOptions): Printer {
  const path = compiled(template, options);
  return (object) => {
    try {
      return options.asJson ? path.find(object).map(toList).join('') : path.print(object);
    } catch (failure) {
      throw new Error(
        `error executing jsonpath ${goQuote(template)}: Error executing template: ${messageOf(failure)}. Printing more information for debugging the template:\n` +
          `\ttemplate was:\n\t\t${template}\n\tobject given to jsonpath engine was:\n\t\t${goStruct(object, options.numbers)}\n\n\n`,
        { cause: failure },
      );
    }
  };
}

function compiled(template: string, options: JsonPathOptions): JsonPath {
  try {
    return compileJsonPath(template, options);
  } catch (failure) {
    throw new Error(`error parsing jsonpath ${template}, ${messageOf(failure)}`, { cause: failure });
  }
}

const toList = (values: readonly unknown[]): string =>
  toIndentedJson(values.map((value) => (value instanceof TypedNumber ? value.value : (value ?? null))));

/** Formats plain JSON like Go's `%#v`. */
function goStruct(value: unknown, numbers: Numbers): string {
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map((item) => goStruct(item, numbers)).join(', ')}}`;
  }
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'object') {
    const object = value as Record<string, unknown>;
    const pairs = Object.keys(object)
      .sort()
      .map((key) => `${goQuote(key)}:${goStruct(object[key], numbers)}`);
    return `map[string]interface {}{${pairs.join(', ')}}`;
  }
  return typeof value === 'string' ? goQuote(value) : printedValue(value, numbers);
}
