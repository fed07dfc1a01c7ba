/** Parses lists like `cpu=1,memory=1Gi`. */
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';

/** @throws Error with upstream's messages */
export function readQuantities(text: string): Record<string, string> {
  if (text === '') return {};
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', value, ...more] = pair.split('=');
      if (value === undefined || more.length > 0) {
        throw new Error(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
      }
      return [name, canonicalQuantity(value)];
    }),
  );
}
