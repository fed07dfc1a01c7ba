/** `cel.bind(name, value, expression)`: enabled only for device selectors. */

import type { Library } from '../declarations/library.ts';
import { MacroError, type Macro } from '../syntax/macro.ts';

const bind: Macro = {
  name: 'bind',
  argumentCount: 3,
  isReceiver: true,
  expand: (maker, target, [variable, value, result]) => {
    if (target?.kind !== 'identifier' || target.name !== 'cel') return undefined;
    if (variable!.kind !== 'identifier') {
      throw new MacroError(variable!, 'cel.bind() variable names must be simple identifiers');
    }
    return maker.comprehension(maker.list(), ['#unused', ''], variable!.name, {
      initial: value!,
      condition: maker.literal(false),
      step: maker.identifier(variable!.name),
      result: result!,
    });
  },
};

export const bindingsLibrary: Library = { functions: [], macros: [bind] };
