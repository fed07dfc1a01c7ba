/** Every flag with its value, for `/flagz`. */
import { flagName, type FlagTable } from '@coxswain/cobra';
import type { FlagTexts } from '../debug/flagz.ts';

export const flagTexts = (table: FlagTable, values: Readonly<Record<string, unknown>>): FlagTexts =>
  Object.fromEntries(
    Object.entries(table).map(([key, flag]) => [flagName(key, flag), flag.kind.show(values[key])]),
  );
