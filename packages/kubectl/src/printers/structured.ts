/** JSON, YAML and KYAML. */
import { toIndentedJson, type KeyOrder } from '../encoding/json.ts';
import { toKyaml } from '../encoding/kyaml.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import type { Printer } from './printer.ts';

export const jsonPrinter =
  (order: KeyOrder, arrange = (object: unknown) => object): Printer =>
  (object) =>
    toIndentedJson(arrange(object), order);

/** Starting with the second document, each is preceded by `---`. */
export function yamlPrinter(): Printer {
  let printed = 0;
  return (object) => `${printed++ > 0 ? '---\n' : ''}${writeYaml(object)}`;
}

export const kyamlPrinter =
  (order: KeyOrder, arrange = (object: unknown) => object): Printer =>
  (object) =>
    toKyaml(arrange(object), order);
