import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { toJson, type KeyOrder } from '../encoding/json.ts';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';
import { compileTemplate } from '../template/execute.ts';
import { PartialOutput } from './partial-output.ts';
import type { Printer } from './printer.ts';
import { withIntegers } from './integers.ts';

interface TemplatePrinting {
  readonly allowMissingKeys: boolean;
  /** The order of the raw data that a failure shows. */
  readonly order?: KeyOrder;
  readonly arrange?: (object: unknown) => unknown;
}

/** @throws Error if the template is invalid */
export function goTemplatePrinter(
  source: string,
  { allowMissingKeys, order, arrange = (object) => object }: TemplatePrinting,
): Printer {
  let template: ReturnType<typeof compileTemplate>;
  try {
    template = compileTemplate('output', source, { allowMissingKeys });
  } catch (failure) {
    throw new Error(`error parsing template ${source}, ${messageOf(failure)}`, { cause: failure });
  }
  return (object) => {
    const data = withIntegers(object);
    const { text, failure } = template.execute(data);
    if (failure === undefined) return text;
    const explanation =
      `Error executing template: ${failure.message}. Printing more information for debugging the template:\n` +
      `\ttemplate was:\n\t\t${source}\n\traw data was:\n\t\t${toJson(arrange(object), order)}\n` +
      `\tobject given to template engine was:\n\t\t${goValue(data)}\n\n`;
    throw new PartialOutput(
      `error executing template ${goQuote(source)}: ${failure.message}`,
      text + explanation,
    );
  };
}
