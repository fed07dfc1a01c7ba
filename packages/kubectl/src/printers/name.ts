import { parseApiVersion } from '@coxswain/apimachinery';
import type { Printer } from './printer.ts';

/** Prints `deployment.apps/web created`, or only the name for -o name. */
export const namePrinter = (operation = ''): Printer =>
  function printName(object) {
    const { kind, apiVersion, metadata, items } = object as {
      kind?: string;
      apiVersion?: string;
      metadata?: { name?: string };
      items?: unknown[];
    };
    if (Array.isArray(items)) return items.map(namePrinter(operation)).join('');
    if (!kind)
      throw new Error(
        'missing apiVersion or kind; try GetObjectKind().SetGroupVersionKind() if you know the type',
      );
    const { group } = parseApiVersion(apiVersion ?? '');
    const name = metadata?.name || '<unknown>';
    return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}${operation === '' ? '' : ` ${operation}`}\n`;
  };
