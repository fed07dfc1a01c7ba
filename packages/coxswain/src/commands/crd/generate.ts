/** `coxswain crd generate src/kinds.ts` */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeYaml } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { commandFor, minimumArgs, string } from '@coxswain/cobra';
import { definitions } from '../../crd/definitions.ts';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const generate = command({
  use: 'generate FILE...',
  short: 'Print the definitions of the kinds in TypeScript files',
  long: `Prints a CustomResourceDefinition for each interface that is marked with @crd:

  /**
   * Says something.
   * @crd example.com/v1                 or: @crd example.com/v1 Cluster
   * @plural greetings                   optional, as are @shortName, @category and @column
   * @column Text string .spec.text
   */
  export interface Greeting {
    spec: { /** @minLength 1 */ text: string; /** @integer */ times?: number };
    status?: { said?: string };
  }

Members may have @integer, @minimum, @maximum, @minLength, @maxLength, @minItems, @maxItems, @pattern, @format, @default,
and "@rule EXPRESSION :: MESSAGE" with CEL, each on a line of its own. A comment describes them.`,
  example:
    '  coxswain crd generate src/kinds.ts | kubectl apply -f -\n  coxswain crd generate src/*.ts --output-dir=crds',
  args: minimumArgs(1),
  flags: { outputDir: string({ usage: 'Write a file for each definition to this directory.' }) },
  run({ context: io, args, flags: { outputDir } }) {
    const made = args.flatMap(definitionsIn);
    if (made.length === 0) throw new Error(`no interface in ${args.join(', ')} is marked with @crd`);
    if (outputDir === '') return void io.out.write(made.map(writeYaml).join('---\n'));
    mkdirSync(outputDir, { recursive: true });
    for (const each of made)
      writeFileSync(path.join(outputDir, `${each.metadata.name}.yaml`), writeYaml(each));
  },
});

function definitionsIn(file: string) {
  try {
    return definitions(readFileSync(file, 'utf8'));
  } catch (failure) {
    throw new Error(`${file}: ${messageOf(failure)}`, { cause: failure });
  }
}
