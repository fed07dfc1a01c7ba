/** Selects the printer specified by the options. */
import { readFailureText } from '@coxswain/apimachinery/system-message.ts';
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { PrintFlagValues } from '../flags/print.ts';
import type { KeyOrder } from '../encoding/json.ts';
import { namePrinter } from './name.ts';
import type { Printer } from './printer.ts';
import { goTemplatePrinter } from './go-template.ts';
import { jsonPathPrinter } from './jsonpath.ts';
import { withoutManagedFields } from './managed-fields.ts';
import { jsonPrinter, kyamlPrinter, yamlPrinter } from './structured.ts';

export interface PrinterChoice {
  /** What happened, for the line `pod/web created`. */
  readonly operation?: string;
  readonly order?: KeyOrder;
  /** Brings fields into the declared order. */
  readonly arrange?: (object: unknown) => unknown;
  readonly workingDirectory: string;
  /** Formats beyond the general ones, for the error about an unknown one. */
  readonly moreFormats?: readonly string[];
  /** General formats that this command doesn't support. */
  readonly without?: readonly string[];
}

const templateFormats = ['go-template', 'go-template-file', 'template', 'templatefile'];
const jsonPathFormats = ['jsonpath', 'jsonpath-as-json', 'jsonpath-file'];
/** Their names may be written in capitals, unlike those of the others. */
const objectFormats = ['json', 'yaml', 'kyaml', 'name'];
const generalFormats = [...objectFormats, ...templateFormats, ...jsonPathFormats];

/** @throws Error if the format is unknown or its template is invalid */
export function choosePrinter(flags: PrintFlagValues, choice: PrinterChoice): Printer {
  const { order = 'sorted', operation = '', arrange } = choice;
  // --template alone implies -o=go-template.
  const wanted = flags.output === '' && flags.template !== '' ? 'go-template' : flags.output;
  const allowed = [...generalFormats, ...(choice.moreFormats ?? [])].filter(
    (format) => !choice.without?.includes(format),
  );
  const [format = '', inline] = splitFormat(wanted, flags.template);
  const tidy = (printer: Printer): Printer =>
    flags.showManagedFields
      ? printer
      : function printTidily(object) {
          return printer(withoutManagedFields(object));
        };
  if (format === '') return namePrinter(operation);
  if (!allowed.includes(format)) throw unknownFormat(wanted, allowed);
  if (format === 'json') return tidy(jsonPrinter(order, arrange));
  if (format === 'yaml') return tidy(yamlPrinter());
  if (format === 'kyaml') return tidy(kyamlPrinter(order, arrange));
  if (format === 'name') return namePrinter();
  return templatePrinter(format, inline, flags, choice);
}

/** Splits `jsonpath={.a}` into `jsonpath` and its template; --template takes precedence. */
function splitFormat(wanted: string, template: string): [string, string] {
  const named = [...templateFormats, ...jsonPathFormats].find((format) => wanted.startsWith(`${format}=`));
  if (named !== undefined && template === '') return [named, wanted.slice(named.length + 1)];
  const folded = wanted.toLowerCase();
  return [objectFormats.includes(folded) ? folded : wanted, template];
}

function templatePrinter(
  format: string,
  inline: string,
  flags: PrintFlagValues,
  { workingDirectory, order, arrange }: PrinterChoice,
): Printer {
  if (inline === '') throw new Error('template format specified but no template given');
  const isFile = format === 'templatefile' || format.endsWith('-file');
  const source = isFile ? readTemplate(inline, workingDirectory) : inline;
  return jsonPathFormats.includes(format)
    ? jsonPathPrinter(source, {
        allowMissingKeys: flags.allowMissingTemplateKeys,
        asJson: format === 'jsonpath-as-json',
        // Objects in declared order have passed through encoding/json, which yields doubles.
        numbers: order === 'declared' ? 'doubles' : 'integers',
      })
    : goTemplatePrinter(source, {
        allowMissingKeys: flags.allowMissingTemplateKeys,
        ...(order && { order }),
        ...(arrange && { arrange }),
      });
}

function readTemplate(file: string, workingDirectory: string): string {
  try {
    return readFileSync(isAbsolute(file) ? file : join(workingDirectory, file), 'utf8');
  } catch (failure) {
    throw new Error(`error reading --template ${file}, ${readFailureText(file, failure)}`, {
      cause: failure,
    });
  }
}

export const unknownFormat = (format: string, allowed: readonly string[]): Error =>
  new Error(
    `unable to match a printer suitable for the output format ${goQuote(format)}, allowed formats are: ${[...allowed].sort().join(',')}`,
  );
